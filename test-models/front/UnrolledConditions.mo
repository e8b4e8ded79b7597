//! run: flatten --class UnrolledConditions
//! stdout: layer[2].port[1] = 2.0;
//! run: check --class UnrolledConditions
//! run: flatten --class RootByElement
//! stdout: source[1].pin.phase = 0.0;
//! run: check --class RootByElement
// In a loop over unequal components only the branch that holds is looked at: beyond the last layer there is none. Conditions of
// connections that differ between the elements of an array are decided for each of them.
model Layer
  parameter Integer n = 1;
  parameter Boolean last = false;
  Real port[n];
end Layer;
model UnrolledConditions
  parameter Integer count = 2;
  Layer layer[count](n = {1, 2}, last = {false, true});
equation
  for i in 1:count loop
    if layer[i].last or (if i == count then true else layer[i + 1].last) then
      layer[i].port[1] = i;
    else
      layer[i].port[1] = 0;
    end if;
  end for;
  layer[2].port[2] = time;
end UnrolledConditions;
type Phase
  extends Real;
  function equalityConstraint
    input Phase a;
    input Phase b;
    output Real residue[0];
  end equalityConstraint;
end Phase;
connector Pin
  Phase phase;
  Real v;
  flow Real i;
end Pin;
model Source
  parameter Boolean definite = false;
  Pin pin;
  Real phase = pin.phase;
equation
  if definite then
    Connections.root(pin.phase);
  else
    Connections.potentialRoot(pin.phase);
  end if;
  if Connections.isRoot(pin.phase) then
    pin.phase = 0;
  end if;
  pin.v = 1;
end Source;
model RootByElement
  Source source[2](definite = {true, false});
end RootByElement;
