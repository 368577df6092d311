//! Embedded objects: formulas and charts, which are documents of their own.

use super::super::flow::FlowBlock;
use super::styles::Styles;
use super::table;
use super::text::Reader;
use crate::package::{Package, resolved};
use crate::xml::{self, Node};

fn content(package: &Package<'_>, object: Node<'_>) -> Option<String> {
    let folder = resolved(object.attribute("xlink:href")?, "");
    package.part(&format!("{folder}/content.xml")).ok().flatten()
}

/// The formula in a frame, in its original notation.
pub(super) fn formula(package: &Package<'_>, frame: Node<'_>) -> Option<String> {
    let object = frame.child("draw:object")?;
    let text = match object.child("math:math") {
        Some(formula) => return annotation_text(formula),
        None => content(package, object)?,
    };
    let tree = xml::tree(&text, &package.limits).ok()?;
    annotation_text(tree.root().filter(|root| root.name() == "math:math")?)
}

fn annotation_text(formula: Node<'_>) -> Option<String> {
    let annotation = formula.find("math:annotation").map(Node::text);
    let text = annotation.unwrap_or_else(|| formula.text());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// The values of a chart.
pub(super) fn table(package: &Package<'_>, object: Node<'_>, styles: &Styles) -> Option<FlowBlock> {
    let text = content(package, object)?;
    let tree = xml::tree(&text, &package.limits).ok()?;
    let chart = tree.root()?.path(&["office:body", "office:chart"])?;
    // A chart has no embedded objects, so the recursion ends.
    Some(table::read(chart.find("table:table")?, &mut Reader::new(package, styles)))
}
