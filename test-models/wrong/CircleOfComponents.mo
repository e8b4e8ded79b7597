//! run: check --class Car
//! exit: 1
//! code: MS2013 line 6
// Wrong: two classes have each other as parts; the component that closes the circle is told.
model Wheel
  Car car;
end Wheel;
model Car
  Wheel wheel;
end Car;
