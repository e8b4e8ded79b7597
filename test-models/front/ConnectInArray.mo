//! run: flatten
//! stdout: s[1].p[1].v = s[1].c[3].p.v;
//! stdout: s[2].p[1].v = s[2].c[2].p.v;
// Each element of an array of components has its own structural parameter, which the subscripts of its connections and the ranges
// of its loops may read.
model ConnectInArray
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Load
    Pin p;
  equation
    p.v = p.i;
  end Load;
  model Segment
    parameter Integer step = 1;
    Pin p[1];
    Load c[3];
  equation
    for j in 1:1 loop
      connect(p[j], c[j*step].p);
    end for;
  end Segment;
  parameter Integer n = 2;
  Segment s[n](step = {3, 2});
end ConnectInArray;
