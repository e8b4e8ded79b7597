//! run: flatten --class PackageConstants
// Constants in packages: dependent constants, constants of nested packages, constant arrays, constants through extends.
package Physics
  constant Real g = 9.80665;
  constant Real pi = 3.14159265358979;
  constant Real twoPi = 2*pi;
  package Water
    constant Real rho = 998;
    constant Real gamma = rho*g;
    constant Real table[3] = {1, 2, 3}*rho;
    constant String name = "water";
  end Water;
  package Sea
    extends Water(rho = 1025, name = "sea");
  end Sea;
end Physics;

model PackageConstants
  parameter Real p = Physics.Water.gamma*10;
  parameter Real q = Physics.Sea.gamma*10;
  parameter Real t2 = Physics.Sea.table[2];
  constant Integer n = size(Physics.Water.table, 1);
  constant Real local = Physics.twoPi/n;
  parameter String name = Physics.Sea.name + "!";
  Real y[n] = Physics.Sea.table*time;
  Real z = local*time;
  parameter Integer i = n;
  Real w = Physics.Water.table[i];
end PackageConstants;
