//! run: simulate --class TooLarge.Array
//! exit: 1
//! code: MS6008
//! run: simulate --class TooLarge.Text
//! exit: 1
//! code: MS6008
//! run: check --class TooLarge.ConstantText
//! exit: 1
//! code: MS2029
//! stderr: a string is too long
//! run: simulate --class TooLarge.Growing
//! exit: 1
//! code: MS6008
// Memory is bounded, also for a function that would be written out where it is called, and for strings.
package TooLarge
  function largeArray
    input Integer n;
    output Real y;
  protected
    Real a[n];
  algorithm
    a[1] := 1;
    y := a[1];
  end largeArray;

  function longText
    input Integer doublings;
    output Boolean same;
  protected
    String s = "ab";
  algorithm
    for i in 1:doublings loop
      s := s + s;
    end for;
    same := s == "ab";
  end longText;

  function growing
    input Integer doublings;
    output Integer n;
  protected
    Real a[:] = {1.0};
  algorithm
    for i in 1:doublings loop
      a := cat(1, a, a);
    end for;
    n := size(a, 1);
  end growing;

  model Array
    Real y = time*largeArray(1000000000);
  end Array;

  model Text
    Boolean same = longText(if time >= 0 then 60 else 1);
  end Text;

  model ConstantText
    constant Boolean same = longText(60);
    Real x[if same then 1 else 2] = fill(time, if same then 1 else 2);
  end ConstantText;
  model Growing
    Integer n = growing(60);
  end Growing;
end TooLarge;
