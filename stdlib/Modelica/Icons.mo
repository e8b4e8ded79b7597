within Modelica;
package Icons "Base classes without contents; they only say what a class is for"
  partial package Package "A package"
  end Package;

  partial package ExamplesPackage "A package of runnable examples"
  end ExamplesPackage;

  partial package InterfacesPackage "A package of connectors and partial models"
  end InterfacesPackage;

  partial package SourcesPackage "A package of sources"
  end SourcesPackage;

  partial package SensorsPackage "A package of sensors"
  end SensorsPackage;

  partial package TypesPackage "A package of types"
  end TypesPackage;

  partial model Example "A runnable example"
  end Example;

  partial function Function "A function"
  end Function;

  partial record Record "A record"
  end Record;
end Icons;
