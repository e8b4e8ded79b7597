//! run: simulate --stop-time 1 --format json
//! json: /final/first == 4.0
//! json: /final/count == 4.0
//! json: /initial/first == 1.0
//! json: /initial/count == 2.0
// `break` under conditions that change: what follows it in the loop is not reached where it is.
model LoopsThatAreLeft
  Real level[4] = {0.3, 0.6, 0.9, 1.2};
  Integer first, count;
algorithm
  first := 0;
  count := 0;
  for i in 1:4 loop
    count := count + 1;
    if first > 0 then
      break;
    end if;
    if level[i] > time - 0.05 then
      first := i;
    end if;
  end for;
end LoopsThatAreLeft;
