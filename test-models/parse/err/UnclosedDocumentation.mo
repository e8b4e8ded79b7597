//! run: parse
//! exit: 1
//! code: MS0006 line 6
package UnclosedDocumentation
  model A "It has a page (a short one)"
    annotation(Documentation(info="<html>
<p>See <a href=\"modelica://B\">B</a>, 100% of it.</p>
</html>));
  end A;
  model B "It has one, too (another)"
    annotation(Documentation(info="<html>
<p>See <a href=\"modelica://A\">A</a>.</p>
</html>"));
  end B;
end UnclosedDocumentation;
