//! run: flatten --class NotANumberOnTheWay
//! stdout: constant Real y = 2.0
// A function that meets something that is no number goes on as it does during a run: comparisons with it are false, and an
// assertion that only warns does not stop it.
model NotANumberOnTheWay
  function root
    input Real scale;
    output Real y;
  protected
    Real large = 1e308*scale;
    Real lost = large - large;
  algorithm
    assert(lost < 1, "no bracket", level = AssertionLevel.warning);
    y := if lost < 1 then 1 else if lost <> lost then 2 else 3;
  end root;
  constant Real y = root(10);
end NotANumberOnTheWay;
