//! exit: 1
//! code: MS2025 line 10
//! snapshot
//! mend: 10:   arrival = delay(load, 10/speed, 20);
model DelayWithoutMaximum "Conveyor whose speed changes"
  Real speed = 1 + 0.5*sin(time);
  Real load = time;
  Real arrival;
equation
  arrival = delay(load, 10/speed);
end DelayWithoutMaximum;
