//! run: flatten --class AddedToBus
//! stdout: Real bus.speed "variable added to expandable connector";
//! stdout: Real bus.all[2] "variable added to expandable connector";
//! stdout: u[2] = bus.speed;
// What a connection adds to an expandable connector is as large as what is connected.
model AddedToBus
  connector RealOutput = output Real;
  expandable connector Bus
  end Bus;
  model Sensor
    RealOutput y = time;
  end Sensor;
  Bus bus;
  RealOutput u[3] = {1, 2, 3}*time;
  Sensor sensor[2];
equation
  connect(u[2], bus.speed);
  connect(sensor.y, bus.all);
end AddedToBus;
