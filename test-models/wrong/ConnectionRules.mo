//! exit: 1
//! code: MS2044 line 22
//! code: MS2034 line 27
//! code: MS2034 line 32
//! code: MS2034 line 37
//! code: MS2025 line 44
// Wrong: connectors that are out of reach, and questions about connections in the wrong place.
package ConnectionRules
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Inner
    Pin p(v = time);
  end Inner;
  model Outer
    Inner inside;
  end Outer;
  model OutOfReach
    Outer o;
    Pin p;
  equation connect(o.inside.p, p);
  end OutOfReach;
  model NotCondition
    Pin p;
    Integer n =
      cardinality(p);
  end NotCondition;
  model OfMany
    Pin p[2];
  equation
    assert(cardinality(p) > 0, "connected");
  end OfMany;
  model NoOverdetermined
    connector Position = input Real;
    Position x;
  equation Connections.root(x);
  end NoOverdetermined;
  connector Port Real p; flow Real m; stream Real h; end Port;
  model WhichPort
    Port c[2];
    Integer n = if time > 1 then 1 else 2;
    Real h;
  equation h = inStream(c[n].h);
  end WhichPort;
end ConnectionRules;
