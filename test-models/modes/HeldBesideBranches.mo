//! run: check
//! exit: 0
//! run: mdae
//! stdout: held since
// `since` is assigned in `when` only, so it keeps its value between events. The four equations of the if-equation are two in every
// mode: they determine `p` and `q`, not `since`.
model HeldBesideBranches "A time that is remembered beside an if-equation with two branches"
  Real since(start = 0, fixed = true) "Time of the last start";
  Real u = if time < since + 1 then time - since else 1;
  Real p;
  Real q;
equation
  when sample(0, 2) then
    since = time;
  end when;
  if u > 0.5 then
    p = u;
    q = 2*p;
  else
    p = 0.5;
    q = p + u;
  end if;
end HeldBesideBranches;
