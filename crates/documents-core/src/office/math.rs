//! Formulas as LaTeX, the common notation in text and for models. Source: ECMA-376 part 1, 22.1 (Office
//! Math).

use super::math_symbols::{latex, operator};
use crate::xml::Node;

/// A formula between LaTeX delimiters.
pub(super) fn text(node: Node<'_>) -> String {
    let formula = sequence(node);
    let formula = formula.trim();
    let mark = if node.name() == "m:oMathPara" { "$$" } else { "$" };
    if formula.is_empty() { String::new() } else { format!("{mark}{formula}{mark}") }
}

fn sequence(parent: Node<'_>) -> String {
    parent.children().map(element).collect()
}

fn part(node: Node<'_>, name: &str) -> String {
    node.child(name).map(sequence).unwrap_or_default().trim().to_owned()
}

/// A property of an element, such as the character of a bracket.
fn property<'t>(node: Node<'t>, properties: &str, name: &str) -> Option<&'t str> {
    node.path(&[properties, name])?.attribute("m:val")
}

fn element(node: Node<'_>) -> String {
    let part = |name: &str| part(node, name);
    match node.name() {
        "m:r" => node.all("m:t").map(|text| latex(&text.text())).collect(),
        "m:f" => fraction(property(node, "m:fPr", "m:type"), &part("m:num"), &part("m:den")),
        "m:sSup" => format!("{}^{{{}}}", part("m:e"), part("m:sup")),
        "m:sSub" => format!("{}_{{{}}}", part("m:e"), part("m:sub")),
        "m:sSubSup" => format!("{}_{{{}}}^{{{}}}", part("m:e"), part("m:sub"), part("m:sup")),
        "m:sPre" => format!("_{{{}}}^{{{}}}{}", part("m:sub"), part("m:sup"), part("m:e")),
        "m:rad" => match part("m:deg") {
            degree if degree.is_empty() => format!("\\sqrt{{{}}}", part("m:e")),
            degree => format!("\\sqrt[{degree}]{{{}}}", part("m:e")),
        },
        "m:nary" => nary(node),
        "m:d" => delimited(node),
        "m:func" => function(&part("m:fName"), &part("m:e")),
        "m:limLow" => format!("{}_{{{}}}", part("m:e"), part("m:lim")),
        "m:limUpp" => format!("{}^{{{}}}", part("m:e"), part("m:lim")),
        "m:m" => matrix(node),
        "m:eqArr" => {
            let rows: Vec<String> = node.all("m:e").map(|row| sequence(row).trim().to_owned()).collect();
            format!("\\begin{{array}}{{c}}{}\\end{{array}}", rows.join(" \\\\ "))
        }
        "m:acc" => format!("{}{{{}}}", accent(property(node, "m:accPr", "m:chr")), part("m:e")),
        "m:bar" if property(node, "m:barPr", "m:pos") == Some("bot") => {
            format!("\\underline{{{}}}", part("m:e"))
        }
        "m:bar" => format!("\\overline{{{}}}", part("m:e")),
        "m:groupChr" => format!("{}{{{}}}", grouping(node), part("m:e")),
        name if name.ends_with("Pr") => String::new(),
        "w:del" | "w:moveFrom" => String::new(),
        _ => sequence(node),
    }
}

/// A fraction: stacked, linear, or without a line (binomial).
fn fraction(kind: Option<&str>, above: &str, below: &str) -> String {
    match kind {
        Some("lin" | "skw") => format!("{{{above}}}/{{{below}}}"),
        Some("noBar") => format!("\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}"),
        _ => format!("\\frac{{{above}}}{{{below}}}"),
    }
}

/// The LaTeX command of a grouping brace or arrow.
fn grouping(node: Node<'_>) -> &'static str {
    match property(node, "m:groupChrPr", "m:chr").unwrap_or("\u{23df}") {
        "\u{23de}" => "\\overbrace",
        "\u{2190}" | "\u{20d6}" => "\\overleftarrow",
        "\u{2192}" | "\u{20d7}" => "\\overrightarrow",
        _ => "\\underbrace",
    }
}

fn nary(node: Node<'_>) -> String {
    let sign = operator(property(node, "m:naryPr", "m:chr").unwrap_or("\u{222b}"));
    let (below, above) = (part(node, "m:sub"), part(node, "m:sup"));
    let below = if below.is_empty() { below } else { format!("_{{{below}}}") };
    let above = if above.is_empty() { above } else { format!("^{{{above}}}") };
    format!("{sign}{below}{above} {}", part(node, "m:e"))
}

fn delimited(node: Node<'_>) -> String {
    let bracket = |name: &str, usual: &'static str| match node.path(&["m:dPr", name]) {
        Some(node) => node.attribute("m:val").unwrap_or(""),
        None => usual,
    };
    let parts: Vec<String> = node.all("m:e").map(|part| sequence(part).trim().to_owned()).collect();
    let (left, right) = (bracket("m:begChr", "("), bracket("m:endChr", ")"));
    let (left, right) = (escaped(left), escaped(right));
    format!("\\left{left}{}\\right{right}", parts.join(bracket("m:sepChr", "|")))
}

/// A bracket in LaTeX; a missing one is a dot.
fn escaped(bracket: &str) -> String {
    match bracket {
        "" => ".".to_owned(),
        "{" | "}" => format!("\\{bracket}"),
        other => other.to_owned(),
    }
}

fn function(name: &str, argument: &str) -> String {
    const KNOWN: &[&str] = &[
        "sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "lim", "max", "min", "det", "sinh",
        "cosh", "tanh",
    ];
    let word = name.split(['_', '^']).next().unwrap_or(name);
    if KNOWN.contains(&word) { format!("\\{name}{{{argument}}}") } else { format!("{name}{{{argument}}}") }
}

fn matrix(node: Node<'_>) -> String {
    let rows = node.all("m:mr").map(|row| {
        row.all("m:e").map(|cell| sequence(cell).trim().to_owned()).collect::<Vec<_>>().join(" & ")
    });
    format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.collect::<Vec<_>>().join(" \\\\ "))
}

fn accent(sign: Option<&str>) -> &'static str {
    match sign.unwrap_or("\u{302}") {
        "\u{304}" | "\u{305}" => "\\bar",
        "\u{307}" => "\\dot",
        "\u{308}" => "\\ddot",
        "\u{303}" => "\\tilde",
        "\u{20d7}" => "\\vec",
        _ => "\\hat",
    }
}
