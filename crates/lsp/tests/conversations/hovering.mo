//- /Hovering.mo
package Quantities
  constant Real pi = 2 * asin(1.0);
  constant Real $0turn(unit = "rad") = 2 * pi "Once around";
  type Voltage = Real(final quantity = "Voltage", final unit = "V");
  type Small = Voltage(max = 24, min = 0);
end Quantities;
model $1Source "A source"
  parameter Quantities.Small $2U(displayUnit = "mV") = 12 "its voltage";
  annotation(Documentation(info = "<html><p>Gives a <b>constant</b> voltage, see
    <a href=\"modelica://Quantities\">the types</a> and <code>https://example.org/x</code>.</p></html>"));
end Source;
//? hover $0
//? hover $1
//? hover $2
//? links
