//! run: check
//! exit: 1
//! code: MS4001
//! run: transitions
//! exit: 1
//! code: MS4001
//! code: MS5014
//! run: simulate
//! exit: 1
//! code: MS4001
// The algorithm assigns the third element only: nothing gives the other two, and no run goes on as if they were constant.
model ElementsWithoutEquation
  Integer stock[3](each start = 2, each fixed = true);
  Integer total(start = 3, fixed = true);
equation
  total = stock[1] - stock[2] + stock[mod(pre(total), 3) + 1];
algorithm
  when sample(0.25, 0.5) then
    stock[3] := pre(total);
  end when;
end ElementsWithoutEquation;
