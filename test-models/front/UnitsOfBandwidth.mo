//! run: check --deny warnings
// A bandwidth in K may be added to a reference of any temperature scale.
model UnitsOfBandwidth
  block Controller
    Real reference;
    Real u;
    parameter Real bandwidth = 0.1;
    Boolean y(start = false, fixed = true);
  equation
    y = pre(y) and u < reference + bandwidth/2 or u < reference - bandwidth/2;
  end Controller;
  parameter Real difference(unit = "K") = 2;
  Real T(unit = "degC", start = 20, fixed = true);
  Controller controller(bandwidth = difference);
equation
  controller.reference = 25;
  controller.u = T;
  der(T) = if controller.y then 1 else -1;
end UnitsOfBandwidth;
