//! run: flatten --class NameOfTheInstance.Vehicle
//! stdout: "Vehicle.engine.controller"
// The model that is simulated has its own name in `getInstanceName()`, without the packages around it.
package NameOfTheInstance
  model Controller
    parameter String name = getInstanceName();
  end Controller;
  model Engine
    Controller controller;
  end Engine;
  model Vehicle
    Engine engine;
  end Vehicle;
end NameOfTheInstance;
