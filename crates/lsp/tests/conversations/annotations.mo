//- /Annotated.mo
package Annotated "Everything about annotations"
  model Drawn
    parameter Real k = 1 annotation(Dialog($0tab = "General"), $1Evaluate = $2true);
    Real x annotation(Placement(transformation($3extent = {{-10, -10}, {10, 10}})));
    annotation(
      Icon(graphics = {$4Rectangle($5radius = 2, fillPattern = FillPattern.$6Solid), Line(arrow = {$7Arrow.None})}),
      experiment($8StopTime = 1),
      Documentation($9info = "A; semicolon"));
  end Drawn;
end Annotated;
//? completion $0
//? completion $1
//? completion $2
//? completion $3
//? completion $4
//? completion $5
//? completion $6
//? completion $7
//? completion $8
//? completion $9
