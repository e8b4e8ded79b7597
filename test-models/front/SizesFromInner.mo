// What is `outer` has the size of its `inner`, and one whose condition is false is compared with nothing.
model SizesFromInner
  type Axis = enumeration(x, y, z);
  model Leaf
    parameter Boolean withLengths = true;
    outer parameter Real lengths[Axis] if withLengths;
    outer parameter Integer chosen[:];
    Real x[size(chosen, 1)] = chosen*time;
  end Leaf;
  inner parameter Real lengths[Axis] = {1, 2, 3};
  inner parameter Integer count = 2;
  inner parameter Integer chosen[count] = {1, 3};
  Leaf with, without(withLengths = false);
end SizesFromInner;
