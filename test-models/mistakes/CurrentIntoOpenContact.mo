//! exit: 1
//! code: MS4001 line 24
//! snapshot
//! mend: 26+:   Basic.Resistor leak(R = 1e6);
//! mend: 32+:   connect(leak.p, pump.n);
//! mend: 32+:   connect(leak.n, ground.p);
// Wrong: a current source works against an open contact.
model CurrentIntoOpenContact
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
  Sources.ConstantCurrent pump(I = 2);
  Contact contact(closed = time < 1);
  Basic.Resistor load(R = 3);
  Basic.Ground ground;
equation
  connect(pump.n, contact.p);
  connect(contact.n, load.p);
  connect(load.n, pump.p);
  connect(load.n, ground.p);
end CurrentIntoOpenContact;
