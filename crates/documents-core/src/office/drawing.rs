//! Drawings of Word and PowerPoint: pictures become their description, charts and diagrams their text.
//! Source: ECMA-376 part 1, 20 and 21 (DrawingML).

use super::flow::{FlowBlock, FlowCell, Inline};
use super::package::{Package, Relations};
use crate::xml::{self, Node};

/// The description of a picture, or at least its name, which shows that there is a picture.
pub(super) fn description_or_name(node: Node<'_>) -> Option<String> {
    let name = || node.attribute("name").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    description(node).or_else(name)
}

/// Maximum points of a chart. Protects memory.
const POINTS: usize = 2_000;
/// Maximum series of a chart. Protects memory.
const SERIES: usize = 200;

/// The alternative text of a picture.
pub(super) fn description(node: Node<'_>) -> Option<String> {
    let text = |name: &str| node.attribute(name).map(str::trim).filter(|text| !text.is_empty());
    text("descr").or_else(|| text("title")).map(str::to_owned)
}

/// The chart or diagram that a drawing refers to.
pub(super) fn related_part(package: &Package<'_>, relations: &Relations, node: Node<'_>) -> Vec<FlowBlock> {
    let id = node.attribute("r:id").or_else(|| node.attribute("r:dm"));
    let target = id.and_then(|id| relations.get(id)).filter(|relation| !relation.external);
    let Some(text) = target.and_then(|relation| package.part(&relation.target).ok().flatten()) else {
        return Vec::new();
    };
    let Ok(tree) = xml::tree(&text, &package.limits) else { return Vec::new() };
    let Some(root) = tree.root() else { return Vec::new() };
    if node.name() == "c:chart" { chart(root) } else { diagram(root) }
}

/// The paragraphs of a DrawingML text body.
pub(super) fn paragraphs(body: Node<'_>) -> Vec<Inline> {
    let mut paragraphs = Vec::new();
    for paragraph in body.all("a:p") {
        let mut text = Inline::default();
        for node in paragraph.descendants() {
            match node.name() {
                "a:t" => text.push(&node.text()),
                "a:br" => text.push("\n"),
                _ => {}
            }
        }
        if !text.is_blank() {
            paragraphs.push(text);
        }
    }
    paragraphs
}

/// A diagram's texts, one list item each.
fn diagram(root: Node<'_>) -> Vec<FlowBlock> {
    let points = root.find("dgm:ptLst").into_iter().flat_map(|list| list.all("dgm:pt"));
    let texts = points.filter_map(|point| point.child("dgm:t")).flat_map(paragraphs);
    texts.map(|text| FlowBlock::Item { depth: 0, ordered: false, label: String::new(), text }).collect()
}

/// A chart: its title, and its values as a table with a row for each category.
fn chart(root: Node<'_>) -> Vec<FlowBlock> {
    let Some(chart) = root.child("c:chart") else { return Vec::new() };
    let mut blocks = Vec::new();
    if let Some(title) = chart.path(&["c:title"]).map(rich_text).filter(|text| !text.is_blank()) {
        let mut text = Inline::plain("Chart: ");
        text.join("", &title);
        blocks.push(FlowBlock::Figure(text));
    }
    let series: Vec<Node<'_>> = chart
        .child("c:plotArea")
        .into_iter()
        .flat_map(Node::descendants)
        .filter(|node| node.name() == "c:ser")
        .take(SERIES)
        .collect();
    let Some(first) = series.first() else { return blocks };
    let categories = values(*first, &["c:cat", "c:xVal"]);
    let columns: Vec<Vec<String>> =
        series.iter().map(|series| values(*series, &["c:val", "c:yVal"])).collect();
    let names = series.iter().map(|series| cell(series_name(*series), true));
    let mut rows = vec![std::iter::once(cell("Category".to_owned(), true)).chain(names).collect::<Vec<_>>()];
    let length = columns.iter().map(Vec::len).chain([categories.len()]).max().unwrap_or(0);
    for at in 0..length {
        let value = |column: &Vec<String>| column.get(at).cloned().unwrap_or_default();
        let values = columns.iter().map(|column| cell(value(column), false));
        rows.push(std::iter::once(cell(value(&categories), true)).chain(values).collect());
    }
    blocks.push(FlowBlock::Table(rows));
    blocks
}

fn rich_text(title: Node<'_>) -> Inline {
    let mut all = Inline::default();
    let rich = title.path(&["c:tx", "c:rich"]);
    for paragraph in rich.map(paragraphs).unwrap_or_default() {
        all.join(" ", &paragraph);
    }
    all
}

fn cell(text: String, header: bool) -> FlowCell {
    FlowCell { content: vec![FlowBlock::Paragraph(Inline::plain(text))], row_span: 1, column_span: 1, header }
}

fn series_name(series: Node<'_>) -> String {
    series.child("c:tx").and_then(|text| text.find("c:v")).map(Node::text).unwrap_or_default()
}

/// A readable number: the file has all digits of the binary value.
fn number(text: &str) -> String {
    match text.parse::<f64>() {
        // A spreadsheet has 15 significant digits; more characters are noise of a binary fraction.
        Ok(value) if value.is_finite() && text.len() > 15 => {
            format!("{value:.14e}").parse::<f64>().map_or_else(|_| text.to_owned(), |value| value.to_string())
        }
        _ => text.to_owned(),
    }
}

/// The cached values of a series, each at its index.
fn values(series: Node<'_>, names: &[&str]) -> Vec<String> {
    let Some(data) = names.iter().find_map(|name| series.child(name)) else { return Vec::new() };
    let mut values = Vec::new();
    for point in data.descendants().filter(|node| node.name() == "c:pt") {
        let place =
            point.attribute("idx").and_then(|place| place.parse::<usize>().ok()).unwrap_or(values.len());
        let Some(value) = point.child("c:v").filter(|_| place < POINTS) else { continue };
        if values.len() <= place {
            values.resize(place + 1, String::new());
        }
        if let Some(known) = values.get_mut(place) {
            *known = number(&value.text());
        }
    }
    values
}
