//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
// Two guards that are complements of each other give two modes, not four.
model BooleanDefinitions
  Real w1(start = 1), w2(start = 2), t;
  input Boolean engaged;
  Boolean released;
equation
  released = not engaged;
  der(w1) = -t;
  2*der(w2) = t;
  if engaged then
    w1 = w2;
  end if;
  if released then
    t = 0;
  end if;
end BooleanDefinitions;
