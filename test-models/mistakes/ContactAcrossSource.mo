//! exit: 1
//! code: MS4001 line 23
//! snapshot
//! mend: 29:   connect(lamp.n, contact.p);
//! mend: 31:
// Wrong: a contact shorts the source when it closes.
model ContactAcrossSource
  import Modelica.Electrical.Analog.Basic;
  import Modelica.Electrical.Analog.Sources;
  import Modelica.Electrical.Analog.Interfaces.Pin;
  model Contact
    Pin p;
    Pin n;
    input Boolean closed;
  equation
    p.i + n.i = 0;
    if closed then
      p.v = n.v;
    else
      p.i = 0;
    end if;
  end Contact;
  Sources.ConstantVoltage source(V = 24);
  Basic.Resistor lamp(R = 48);
  Contact contact(closed = time > 1);
  Basic.Ground ground;
equation
  connect(source.p, lamp.p);
  connect(source.p, contact.p);
  connect(contact.n, source.n);
  connect(lamp.n, source.n);
  connect(source.n, ground.p);
end ContactAcrossSource;
