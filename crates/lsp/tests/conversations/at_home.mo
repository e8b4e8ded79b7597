//- /User.mo
model User "What it does with a library is shown here"
  Modelica.Mechanics.Rotational.Components.Inertia a(J = 1);
  Modelica.Mechanics.Rotational.Components.IdealClutch clutch;
  Modelica.Mechanics.Rotational.Components.Inertia b(J = 1);
  Modelica.Blocks.Sources.BooleanStep engage(startTime = 1);
equation
  connect(a.flange_b, clutch.flange_a);
  connect(clutch.flange_b, b.flange_a);
  connect(engage.y, clutch.engaged);
end User;
//? diagnostics
