within Modelica.Mechanics.Translational;
package Sources "Forces and prescribed motion"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model Force "Force given by a signal"
    Interfaces.Flange_b flange "Flange";
    Modelica.Blocks.Interfaces.RealInput f(unit="N") "Driving force";
  equation
    flange.f = -f;
  end Force;

  model ConstantForce "Constant force"
    Interfaces.Flange_b flange "Flange";
    parameter SI.Force f_constant "Driving force";
  equation
    flange.f = -f_constant;
  end ConstantForce;

  model ConstantSpeed "Constant velocity"
    Interfaces.Flange_b flange "Flange";
    parameter SI.Velocity v_fixed "Velocity";
  equation
    der(flange.s) = v_fixed;
  end ConstantSpeed;

  model Position "Position given by a signal"
    Interfaces.Flange_b flange "Flange";
    Modelica.Blocks.Interfaces.RealInput s_ref(unit="m") "Position";
  equation
    flange.s = s_ref;
  end Position;
end Sources;
