within Modelica;
package Constants "Mathematical, machine and physical constants"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  final constant Real pi = 2*asin(1.0) "Ratio of a circle's circumference to its diameter";
  final constant Real e = exp(1.0) "Base of the natural logarithm";
  final constant Real D2R = pi/180 "Degree to radian";
  final constant Real R2D = 180/pi "Radian to degree";
  final constant Real gamma = 0.57721566490153286061 "Euler's constant";

  final constant Real eps = 2.2204460492503131e-16 "Distance between 1 and the next larger Real";
  final constant Real small = 2.2250738585072014e-308 "Smallest normal Real";
  final constant Real inf = 1.7976931348623157e308 "Largest Real";
  final constant Integer Integer_inf = 2147483647 "Largest Integer that every tool represents";

  final constant SI.Velocity c = 299792458 "Speed of light in vacuum";
  final constant SI.Acceleration g_n = 9.80665 "Standard acceleration of gravity";
  final constant Real G(final unit="m3/(kg.s2)") = 6.67430e-11 "Constant of gravitation";
  final constant SI.ElectricCharge q = 1.602176634e-19 "Elementary charge";
  final constant Real h(final unit="J.s") = 6.62607015e-34 "Planck constant";
  final constant Real k(final unit="J/K") = 1.380649e-23 "Boltzmann constant";
  final constant Real N_A(final unit="1/mol") = 6.02214076e23 "Avogadro constant";
  final constant Real R(final unit="J/(mol.K)") = k*N_A "Gas constant";
  final constant Real sigma(final unit="W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2)
    "Stefan-Boltzmann constant";
  final constant Real mu_0(final unit="N/A2") = 4*pi*1.00000000055e-7 "Magnetic constant";
  final constant Real epsilon_0(final unit="F/m") = 1/(mu_0*c*c) "Electric constant";
  final constant Real T_zero(final unit="degC") = -273.15 "Absolute zero in degrees Celsius";
end Constants;
