//! run: modes --format json
//! json: /loops/0/status == "unique"
//! json: /loops/0/procedure == "determinants of one sign"
//! run: check --deny fixpoints
model SelectorInLoop "Two controllers, the lower demand wins, and a boost that sets in without a jump"
  input Real wanted, limit;
  Real demand1, demand2, demand, y;
  Boolean boosted;
equation
  demand1 = 4*(wanted - y);
  demand2 = 2*(limit - y);
  demand = min(demand1, demand2);
  boosted = demand > 1;
  y = 0.5*demand + (if boosted then 0.2*(demand - 1) else 0);
end SelectorInLoop;
