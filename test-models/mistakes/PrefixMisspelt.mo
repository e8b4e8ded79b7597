//! exit: 1
//! code: MS0022 line 7
//! snapshot
//! mend: 7:   parameter Real m = 5 "mass";
// Wrong: `parameters` for `parameter`.
model PrefixMisspelt
  parameters Real m = 5 "mass";
  Real v(start = 0, fixed = true);
equation
  m*der(v) = 10 - 0.2*v;
end PrefixMisspelt;
