//! The annotations that Modelica knows (Modelica 3.6, chapter 18, and section 12.9 for external functions): names, and what
//! can be written inside them.

/// An annotation, or a field of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Annotation {
    pub name: &'static str,
    pub about: &'static str,
    /// What stands in its brackets.
    pub fields: &'static [&'static [Annotation]],
    /// Values to choose from behind `=`.
    pub values: &'static [&'static str],
}

impl Annotation {
    const fn new(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            fields: &[],
            values: &[],
        }
    }

    const fn with(self, fields: &'static [&'static [Self]]) -> Self {
        Self { fields, ..self }
    }

    const fn of(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }
}

/// What can be written at a path of names inside `annotation(…)`. Names that the language does not know, as the
/// libraries in `uses(…)`, lead to nothing.
pub(crate) fn inside<'a>(path: impl IntoIterator<Item = &'a str>) -> Vec<&'static Annotation> {
    let mut here: Vec<&'static Annotation> = TOP.iter().collect();
    for name in path {
        let found = here.iter().find(|it| it.name == name);
        let lists = match found {
            Some(found) => found.fields,
            // `uses(Library(version = …))`, `from(…)`: any library may stand there.
            None if here.iter().any(|it| it.name == ANY) => &[LIBRARY],
            None => return Vec::new(),
        };
        here = lists.iter().copied().flatten().collect();
    }
    here.retain(|it| it.name != ANY);
    here
}

/// The values of an enumeration that annotations use: `FillPattern.Solid`, without the dot and what is before it.
pub(crate) fn literals(enumeration: &str) -> impl Iterator<Item = &'static str> {
    let all = ENUMERATIONS.iter().copied().flatten();
    let mine = all.filter_map(move |value| value.strip_prefix(enumeration)?.strip_prefix('.'));
    mine.collect::<Vec<_>>().into_iter()
}

/// Stands for a name that is up to the user.
const ANY: &str = "";

const BOOLEAN: &[&str] = &["true", "false"];
const PATTERN: &[&str] = &[
    "LinePattern.None",
    "LinePattern.Solid",
    "LinePattern.Dash",
    "LinePattern.Dot",
    "LinePattern.DashDot",
    "LinePattern.DashDotDot",
];
const FILL: &[&str] = &[
    "FillPattern.None",
    "FillPattern.Solid",
    "FillPattern.Horizontal",
    "FillPattern.Vertical",
    "FillPattern.Cross",
    "FillPattern.Forward",
    "FillPattern.Backward",
    "FillPattern.CrossDiag",
    "FillPattern.HorizontalCylinder",
    "FillPattern.VerticalCylinder",
    "FillPattern.Sphere",
];
const BORDER: &[&str] = &[
    "BorderPattern.None",
    "BorderPattern.Raised",
    "BorderPattern.Sunken",
    "BorderPattern.Engraved",
];
const SMOOTH: &[&str] = &["Smooth.None", "Smooth.Bezier"];
const CLOSURE: &[&str] = &[
    "EllipseClosure.None",
    "EllipseClosure.Chord",
    "EllipseClosure.Radial",
];
const ARROW: &[&str] = &["Arrow.None", "Arrow.Open", "Arrow.Filled", "Arrow.Half"];
const STYLE: &[&str] = &["TextStyle.Bold", "TextStyle.Italic", "TextStyle.UnderLine"];
const ALIGNMENT: &[&str] = &[
    "TextAlignment.Left",
    "TextAlignment.Center",
    "TextAlignment.Right",
];
const ACCESS: &[&str] = &[
    "Access.hide",
    "Access.icon",
    "Access.documentation",
    "Access.diagram",
    "Access.nonPackageText",
    "Access.nonPackageDuplicate",
    "Access.packageText",
    "Access.packageDuplicate",
];
const ENUMERATIONS: &[&[&str]] = &[
    PATTERN, FILL, BORDER, SMOOTH, CLOSURE, ARROW, STYLE, ALIGNMENT, ACCESS,
];
const VIEWS: &[&str] = &["\"info\"", "\"diagram\"", "\"text\""];

const fn a(name: &'static str, about: &'static str) -> Annotation {
    Annotation::new(name, about)
}

const fn flag(name: &'static str, about: &'static str) -> Annotation {
    Annotation::new(name, about).of(BOOLEAN)
}

const LIBRARY: &[Annotation] = &[a("version", "the version that is used")];

const ITEM: &[Annotation] = &[
    flag("visible", "whether it is shown"),
    a("origin", "where its own origin lies: {x, y}"),
    a("rotation", "degrees, counter-clockwise about the origin"),
];
const SHAPE: &[Annotation] = &[
    a("lineColor", "{red, green, blue}, 0 to 255"),
    a("fillColor", "{red, green, blue}, 0 to 255"),
    a("pattern", "how the border is drawn").of(PATTERN),
    a("fillPattern", "how the inside is drawn").of(FILL),
    a("lineThickness", "of the border, in millimetres"),
];
const EXTENT: &[Annotation] = &[a("extent", "two opposite corners: {{x1, y1}, {x2, y2}}")];
const POINTS: &[Annotation] = &[
    a("points", "{{x1, y1}, {x2, y2}, …}"),
    a("smooth", "straight between the points, or a curve").of(SMOOTH),
];
const LINE: &[Annotation] = &[
    a("color", "{red, green, blue}, 0 to 255"),
    a("pattern", "how the line is drawn").of(PATTERN),
    a("thickness", "in millimetres"),
    a("arrow", "at both ends: {Arrow.None, Arrow.Open}").of(ARROW),
    a("arrowSize", "in millimetres"),
];
const RECTANGLE: &[Annotation] = &[
    a("borderPattern", "raised, sunken or engraved").of(BORDER),
    a("radius", "of the corners"),
];
const ELLIPSE: &[Annotation] = &[
    a("startAngle", "degrees"),
    a("endAngle", "degrees"),
    a("closure", "how an arc is closed").of(CLOSURE),
];
const TEXT: &[Annotation] = &[
    a(
        "textString",
        "what is written; %name is the component's name",
    ),
    a("fontSize", "in points; 0 fits the text into the extent"),
    a("fontName", "a font's name"),
    a("textStyle", "bold, italic, underlined").of(STYLE),
    a("textColor", "{red, green, blue}, 0 to 255"),
    a("horizontalAlignment", "in the extent").of(ALIGNMENT),
];
const BITMAP: &[Annotation] = &[
    a("fileName", "modelica://… or a file"),
    a("imageSource", "the picture itself, in base 64"),
];
const GRAPHICS: &[Annotation] = &[
    a("Line", "a line through points").with(&[POINTS, LINE, ITEM]),
    a("Polygon", "a closed shape through points").with(&[POINTS, SHAPE, ITEM]),
    a("Rectangle", "a rectangle").with(&[EXTENT, RECTANGLE, SHAPE, ITEM]),
    a("Ellipse", "an ellipse, or a part of one").with(&[EXTENT, ELLIPSE, SHAPE, ITEM]),
    a("Text", "a text in an extent").with(&[EXTENT, TEXT, SHAPE, ITEM]),
    a("Bitmap", "a picture").with(&[EXTENT, BITMAP, ITEM]),
];
const COORDINATES: &[Annotation] = &[
    a("extent", "of the drawing: {{-100, -100}, {100, 100}}"),
    flag(
        "preserveAspectRatio",
        "whether the layer keeps its proportions",
    ),
    a("initialScale", "of components with this icon"),
    a("grid", "distances between grid points: {2, 2}"),
];
const LAYER: &[Annotation] = &[
    a("coordinateSystem", "extent, aspect ratio, grid").with(&[COORDINATES]),
    a("graphics", "lines, shapes and texts: {…}").with(&[GRAPHICS]),
];
const TRANSFORMATION: &[Annotation] = &[
    a("extent", "where the icon lies: {{x1, y1}, {x2, y2}}"),
    a("origin", "{x, y}"),
    a("rotation", "degrees, counter-clockwise about the origin"),
];
const PLACEMENT: &[Annotation] = &[
    a("transformation", "place in the diagram").with(&[TRANSFORMATION]),
    flag("visible", "whether it is shown in the diagram"),
    a("iconTransformation", "place in the icon, for connectors").with(&[TRANSFORMATION]),
    flag("iconVisible", "whether it is shown in the icon"),
];
const MAP: &[Annotation] = &[
    a("extent", "where the inherited layer is drawn"),
    flag("primitivesVisible", "whether inherited graphics are shown"),
];
const SELECTOR: &[Annotation] = &[
    a("filter", "which files: \"Text files (*.txt)\""),
    a("caption", "title of the dialog"),
];
const DIALOG: &[Annotation] = &[
    a("tab", "of the parameter dialog"),
    a("group", "in the tab"),
    a("enable", "when the input is active"),
    flag(
        "showStartAttribute",
        "show the start value instead of the value",
    ),
    flag("colorSelector", "choose a colour"),
    a("loadSelector", "choose a file to read").with(&[SELECTOR]),
    a("saveSelector", "choose a file to write").with(&[SELECTOR]),
    a("directorySelector", "choose a directory").with(&[SELECTOR]),
    a("groupImage", "a picture beside the group"),
    flag(
        "connectorSizing",
        "an array size that tools set with connections",
    ),
];
const AXIS: &[Annotation] = &[
    a("min", "lower bound"),
    a("max", "upper bound"),
    a("unit", "of the numbers at the axis"),
    a("label", "beside the axis"),
    a("scale", "Linear() or Log(base = …)"),
];
const CURVE: &[Annotation] = &[
    a("x", "variable to the right, or time"),
    a("y", "variable upwards"),
    a("legend", "what the curve is called"),
    a("zOrder", "which curve is in front"),
];
const PLOT: &[Annotation] = &[
    a("title", "above the plot"),
    a("identifier", "to refer to it"),
    a("curves", "{Curve(…), …}").with(&[&[a("Curve", "one curve").with(&[CURVE])]]),
    a("x", "the axis to the right").with(&[&[a("Axis", "an axis").with(&[AXIS])]]),
    a("y", "the axis upwards").with(&[&[a("Axis", "an axis").with(&[AXIS])]]),
];
const FIGURE: &[Annotation] = &[
    a("title", "above the figure"),
    a("identifier", "to refer to it: modelica:///Class?figure=…"),
    a("group", "figures that belong together"),
    flag("preferred", "show it when the simulation is done"),
    a("plots", "{Plot(…), …}").with(&[&[a("Plot", "one plot").with(&[PLOT])]]),
    a("caption", "below the figure"),
];
const DOCUMENTATION: &[Annotation] = &[
    a("info", "description, as HTML: \"<html>…</html>\""),
    a("revisions", "history, as HTML"),
    a("figures", "plots of results: {Figure(…)}")
        .with(&[&[a("Figure", "one figure").with(&[FIGURE])]]),
];
const EXPERIMENT: &[Annotation] = &[
    a("StartTime", "where the simulation begins, in seconds"),
    a("StopTime", "where it ends, in seconds"),
    a("Interval", "between results, in seconds"),
    a("Tolerance", "relative, of the integration"),
];
const FROM: &[Annotation] = &[
    a("version", "versions that are converted from"),
    a("to", "the version that results"),
    a("script", "the conversion script"),
    a("change", "conversion rules: {convertClass(…), …}"),
];
const CONVERSION: &[Annotation] = &[
    a("from", "how models of an older version are converted").with(&[FROM]),
    a(
        "noneFromVersion",
        "a version from which nothing has to be converted",
    ),
];
const PROTECTION: &[Annotation] = &[
    a("access", "what users may see").of(ACCESS),
    a("features", "licence features that are needed"),
    a("License", "key and file of the licence").with(&[&[
        a("libraryKey", "public key of the library"),
        a("licenseFile", "where the licence is"),
    ]]),
];
const AUTHORIZATION: &[Annotation] = &[
    a("licensor", "who grants the licence"),
    a("libraryKey", "private key of the library"),
    a("license", "{License(…), …}"),
];
const DERIVATIVE: &[Annotation] = &[
    a("order", "which derivative the function computes"),
    a("noDerivative", "an input that is not differentiated"),
    a("zeroDerivative", "an input whose derivative is zero"),
];

/// What stands directly in `annotation(…)`.
const TOP: &[Annotation] = &[
    a("Documentation", "text about the class").with(&[DOCUMENTATION]),
    a("preferredView", "what tools open first").of(VIEWS),
    flag(
        "DocumentationClass",
        "the class is there for its documentation",
    ),
    a("Icon", "what components of the class look like").with(&[LAYER]),
    a("Diagram", "drawing of the inside of the class").with(&[LAYER]),
    a("Placement", "where a component is drawn").with(&[PLACEMENT]),
    a("Line", "how a connection is drawn").with(&[POINTS, LINE, ITEM]),
    a("Text", "a text beside a connection").with(&[EXTENT, TEXT, SHAPE, ITEM]),
    a("IconMap", "how the icon of a base class is drawn").with(&[MAP]),
    a("DiagramMap", "how the diagram of a base class is drawn").with(&[MAP]),
    a("experiment", "how the model is simulated").with(&[EXPERIMENT]),
    a("TestCase", "what a test expects")
        .with(&[&[flag("shouldPass", "false if it must be rejected")]]),
    flag(
        "Evaluate",
        "whether the parameter is fixed when the model is translated",
    ),
    flag("HideResult", "whether the variable is left out of results"),
    flag("Inline", "whether calls are replaced by the body"),
    flag("LateInline", "the same after symbolic transformations"),
    flag(
        "InlineAfterIndexReduction",
        "the same after index reduction",
    ),
    flag(
        "GenerateEvents",
        "whether relations in the function make events",
    ),
    a(
        "smoothOrder",
        "how often the function can be differentiated",
    ),
    a("derivative", "the function that computes the derivative").with(&[DERIVATIVE]),
    a("inverse", "functions that solve for an input"),
    a("Dialog", "how a parameter is entered").with(&[DIALOG]),
    a("choices", "values to choose from").with(&[&[
        a("choice", "one of the values: choice = 1 \"slow\""),
        flag("checkBox", "a box to tick, for Booleans"),
    ]]),
    flag(
        "choicesAllMatching",
        "offer all classes that fit the constraint",
    ),
    a("defaultComponentName", "name of new components"),
    a(
        "defaultComponentPrefixes",
        "prefixes of new components: \"inner\"",
    ),
    a(
        "missingInnerMessage",
        "what users read if the inner is missing",
    ),
    a(
        "unassignedMessage",
        "what users read if the variable cannot be assigned",
    ),
    flag(
        "absoluteValue",
        "whether offsets count when units are converted",
    ),
    a(
        "mustBeConnected",
        "message if the connector is left unconnected",
    ),
    a(
        "mayOnlyConnectOnce",
        "message if it is connected more than once",
    ),
    flag("singleInstance", "whether there may be only one component"),
    a("obsolete", "what to use instead"),
    a("version", "of the library"),
    a("versionDate", "\"YYYY-MM-DD\""),
    a("versionBuild", "a number that grows"),
    a("dateModified", "\"YYYY-MM-DD hh:mm:ssZ\""),
    a("revisionId", "of the revision control system"),
    a(
        "uses",
        "libraries and their versions: uses(Modelica(version = \"4.1.0\"))",
    )
    .with(&[&[a(ANY, "")]]),
    a("conversion", "from older versions of the library").with(&[CONVERSION]),
    a("Protection", "what users of the library may see").with(&[PROTECTION]),
    a("Authorization", "keys of protected libraries").with(&[AUTHORIZATION]),
    a(
        "Include",
        "declaration of an external function: \"#include …\"",
    ),
    a("IncludeDirectory", "where included files are"),
    a("Library", "binary library of an external function"),
    a("LibraryDirectory", "where the library is"),
    a("SourceDirectory", "where sources of the library are"),
];

#[cfg(test)]
mod tests {
    use super::{Annotation, ENUMERATIONS, TOP, inside, literals};
    use std::collections::BTreeSet;

    fn names(path: &[&str]) -> Vec<&'static str> {
        inside(path.iter().copied())
            .iter()
            .map(|it| it.name)
            .collect()
    }

    /// Two fields of the same name in one place would be proposed twice, with different words.
    #[test]
    fn every_place_names_each_field_once() {
        fn check(here: &[&[Annotation]], path: &str) {
            let all: Vec<&Annotation> = here.iter().copied().flatten().collect();
            let distinct: BTreeSet<&str> = all.iter().map(|it| it.name).collect();
            assert_eq!(distinct.len(), all.len(), "{path}");
            for it in all {
                check(it.fields, &format!("{path}.{}", it.name));
            }
        }
        check(&[TOP], "annotation");
    }

    #[test]
    fn fields_are_found_by_the_names_around_them() {
        assert_eq!(
            names(&["experiment"]),
            ["StartTime", "StopTime", "Interval", "Tolerance"]
        );
        assert_eq!(
            names(&["Placement", "transformation"]),
            ["extent", "origin", "rotation"]
        );
        assert!(names(&["Icon", "graphics", "Rectangle"]).contains(&"radius"));
        assert_eq!(names(&["uses", "Modelica"]), ["version"]);
        assert_eq!(names(&["uses"]), [""; 0]);
        assert_eq!(names(&["Nonsense", "deeper"]), [""; 0]);
    }

    #[test]
    fn literals_belong_to_one_enumeration() {
        assert_eq!(literals("Smooth").collect::<Vec<_>>(), ["None", "Bezier"]);
        assert_eq!(literals("S").count(), 0);
        assert!(
            ENUMERATIONS
                .iter()
                .copied()
                .flatten()
                .all(|it| it.contains('.'))
        );
    }
}
