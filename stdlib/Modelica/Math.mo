within Modelica;
package Math "Mathematical functions"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  function sin "Sine"
    extends Modelica.Icons.Function;
    input SI.Angle u "Independent variable";
    output Real y "sin(u)";
    external "builtin" y = sin(u);
  end sin;

  function cos "Cosine"
    extends Modelica.Icons.Function;
    input SI.Angle u "Independent variable";
    output Real y "cos(u)";
    external "builtin" y = cos(u);
  end cos;

  function tan "Tangent"
    extends Modelica.Icons.Function;
    input SI.Angle u "Independent variable";
    output Real y "tan(u)";
    external "builtin" y = tan(u);
  end tan;

  function asin "Inverse sine (-1 <= u <= 1)"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output SI.Angle y "asin(u)";
    external "builtin" y = asin(u);
  end asin;

  function acos "Inverse cosine (-1 <= u <= 1)"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output SI.Angle y "acos(u)";
    external "builtin" y = acos(u);
  end acos;

  function atan "Inverse tangent"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output SI.Angle y "atan(u)";
    external "builtin" y = atan(u);
  end atan;

  function atan2 "Angle of the point (u2, u1)"
    extends Modelica.Icons.Function;
    input Real u1 "Ordinate";
    input Real u2 "Abscissa";
    output SI.Angle y "atan2(u1, u2)";
    external "builtin" y = atan2(u1, u2);
  end atan2;

  function sinh "Hyperbolic sine"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "sinh(u)";
    external "builtin" y = sinh(u);
  end sinh;

  function cosh "Hyperbolic cosine"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "cosh(u)";
    external "builtin" y = cosh(u);
  end cosh;

  function tanh "Hyperbolic tangent"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "tanh(u)";
    external "builtin" y = tanh(u);
  end tanh;

  function exp "Exponential, base e"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "exp(u)";
    external "builtin" y = exp(u);
  end exp;

  function log "Natural logarithm (u > 0)"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "log(u)";
    external "builtin" y = log(u);
  end log;

  function log10 "Logarithm, base 10 (u > 0)"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "log10(u)";
    external "builtin" y = log10(u);
  end log10;

  function asinh "Inverse hyperbolic sine"
    extends Modelica.Icons.Function;
    input Real u "Independent variable";
    output Real y "asinh(u)";
  algorithm
    y := .log(u + sqrt(u*u + 1));
    annotation(Inline=true);
  end asinh;

  function acosh "Inverse hyperbolic cosine (u >= 1)"
    extends Modelica.Icons.Function;
    input Real u(min=1) "Independent variable";
    output Real y "acosh(u)";
  algorithm
    y := .log(u + sqrt(u*u - 1));
    annotation(Inline=true);
  end acosh;

  package Vectors "Functions on vectors"
    function norm "p-norm of a vector"
      input Real v[:] "Vector";
      input Real p(min=1) = 2 "Order of the norm";
      output Real result "norm";
    algorithm
      if p == 2 then
        result := sqrt(v*v);
      elseif p >= Modelica.Constants.inf then
        result := max(abs(v));
      else
        result := sum(abs(v[i])^p for i in 1:size(v, 1))^(1/p);
      end if;
    end norm;

    function length "Euclidean length of a vector"
      input Real v[:] "Vector";
      output Real result "length";
    algorithm
      result := sqrt(v*v);
      annotation(Inline=true);
    end length;
  end Vectors;

  package BooleanVectors "Functions on Boolean vectors"
    function allTrue "Whether all elements are true"
      input Boolean b[:] "Vector";
      output Boolean result "Conjunction";
    algorithm
      result := true;
      for i in 1:size(b, 1) loop
        result := result and b[i];
      end for;
    end allTrue;

    function anyTrue "Whether at least one element is true"
      input Boolean b[:] "Vector";
      output Boolean result "Disjunction";
    algorithm
      result := false;
      for i in 1:size(b, 1) loop
        result := result or b[i];
      end for;
    end anyTrue;
  end BooleanVectors;
end Math;
