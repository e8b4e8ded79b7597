//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 2
//! json: /classes/0/when == "not a or not b"
//! json: /classes/0/count == 3
//! json: /classes/0/dof == 2
//! json: /classes/1/when == "a and b"
//! json: /classes/1/index == 1
//! json: /classes/1/dof == 1
// An enumeration whose two values follow from two inputs: the inputs may both be true, its values may not.
model DerivedPair
  type State = enumeration(free, joined);
  input Boolean a, b;
  State state = if a and b then State.joined else State.free;
  Real w1(start = 1), w2(start = 0), t;
equation
  der(w1) = -t;
  2*der(w2) = t;
  0 = if state == State.joined then w1 - w2 else t;
end DerivedPair;
