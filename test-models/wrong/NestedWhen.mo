//! run: check --class NestedWhen
//! exit: 1
//! code: MS2032 line 9
// Wrong: a when-equation inside a when-equation.
model NestedWhen
  discrete Real a(start = 0);
equation
  when time > 1 then
    when time > 2 then
      a = 1;
    end when;
  end when;
end NestedWhen;
