//- /Layout.mo
package Layout /* over
  several lines */
  model A "An é"
      parameter Real $0x=1;
    Real y[3] ;
  $1equation
    for i in 1:3 loop
    y[i]=x*i;$2
    end for;
    annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}})}),
      Documentation(info = "<html>
  kept
</html>"));
  end A;
  type Color = enumeration(red, green);
  constant Color c = Color.red;
end Layout;
//? tokens
//? folding
//? selection $0
//? symbols
//? search lay
//? format
//? format-range $0 $1
//? format-typed $2 ;
