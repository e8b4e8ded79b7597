//! run: check
//! code: MS4004
//! run: simulate --format json
//! json: /completed == true
//! approx: /final/w1 == 0.5 +- 1e-9
//! approx: /final/w2 == 0.5 +- 1e-9
// A String decides the structure: the shafts turn with one speed once it says so.
model WordOpensClutch
  String word(start = "off", fixed = true);
  Boolean closed = word == "on";
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
equation
  word = if time > 0.5 then "on" else "off";
  der(w1) = -tau;
  der(w2) = tau;
  if closed then
    w1 = w2;
  else
    tau = 0;
  end if;
end WordOpensClutch;
