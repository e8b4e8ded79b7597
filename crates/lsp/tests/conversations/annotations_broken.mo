//- /Broken.mo
package P
  model Broken
    Real y(start = 1) annotation(Placement(iconTransformation($0
  equation
    y = 1;
  end Broken;
  annotation(uses(Modelica($1version = "4.1.0")), conversion(from($2version = "1")), $3);
end P;
//? completion $0
//? completion $1
//? completion $2
//? completion $3
