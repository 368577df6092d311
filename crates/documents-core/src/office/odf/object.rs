//! Embedded objects: formulas and charts, which are documents of their own.

use super::super::flow::FlowBlock;
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

/// The values of a chart, whose table `read` parses.
pub(super) fn table(
    package: &Package<'_>,
    object: Node<'_>,
    read: impl FnOnce(Node<'_>) -> FlowBlock,
) -> Option<FlowBlock> {
    let text = content(package, object)?;
    let tree = xml::tree(&text, &package.limits).ok()?;
    let chart = tree.root()?.path(&["office:body", "office:chart"])?;
    chart.find("table:table").map(read)
}
