//! run: simulate --stop-time 2 --format json
//! approx: /final/a.y[1] == 0 +- 0
//! approx: /final/a.y[2] == 1 +- 0
//! approx: /final/bound[1] == 0 +- 0
//! approx: /final/bound[2] == 1 +- 0
//! approx: /final/b.y[2] == 1 +- 0
//! approx: /final/received == 1 +- 0
// Arrays of Booleans that are the result of a function: by an equation, by a declaration and in a `when`.
// A Boolean that the declaration of an output is bound to gets its value from there.
model BooleansFromFunctions
  function inverted
    input Boolean u[:];
    input Integer n;
    output Boolean y[n];
  algorithm
    for i in 1:size(u, 1) loop
      y[i] := not u[i];
    end for;
  end inverted;
  block Inverter
    parameter Boolean sampled = false;
    parameter Integer n = 2;
    input Boolean u[n];
    output Boolean y[n];
  equation
    if sampled then
      when sample(0, 0.25) then
        y = inverted(u, n);
      end when;
    else
      y = inverted(u, n);
    end if;
  end Inverter;
  connector In = input Boolean;
  connector Out = output Boolean;
  block Sender
    Out y = time > 0.5;
  end Sender;
  block Receiver
    In u;
  end Receiver;
  Inverter a;
  Inverter b(sampled = true);
  Boolean s[2] = {time > 0.5, time > 3};
  Boolean bound[2] = inverted(s, 2);
  Sender sender;
  Receiver receiver(u = received);
  Boolean received;
equation
  a.u = s;
  b.u = s;
  connect(sender.y, receiver.u);
end BooleansFromFunctions;
