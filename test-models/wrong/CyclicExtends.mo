//! run: check --class CyclicExtends
//! exit: 1
//! code: MS2012 line 10
// Wrong: two classes extend each other.
model A
  extends B;
  Real x = time;
end A;
model B
  extends A;
  Real y = time;
end B;
model CyclicExtends
  A a;
end CyclicExtends;
