//! What a drawing asks for, before it is drawn: a few lines can repeat each other into millions of shapes.
//!
//! References that style sheets make are not followed here; the library's own bounds and those of whoever
//! draws hold for them.

use std::collections::{HashMap, HashSet};

use resvg::usvg::roxmltree::{Document, Node, NodeId};

use crate::ParseError;

/// Shapes that may be drawn, and what counts as much as so many.
const MOST: u64 = 2_000_000;
/// Elements within elements, references followed.
const DEPTH: usize = 200;
/// Elements times rules of style sheets.
const RULES: usize = 20_000_000;
/// Rounds of noise: each is as much work as the first.
const OCTAVES: f64 = 10.0;
/// What drawing on a layer of its own, and what one step of a filter or a picture, counts.
const LAYER: u64 = 50;
const STEP: u64 = 2_000;
/// Bytes of a path for each of its corners at the least.
const CORNER: usize = 4;
/// Elements that draw what their reference names.
const REFERRING: &[&str] = &[
    "use",
    "feImage",
    "textPath",
    "tref",
    "pattern",
    "linearGradient",
    "radialGradient",
    "mask",
    "clipPath",
    "filter",
];

/// Refuses drawings that ask for too much, and those that refer to themselves.
pub(super) fn check(document: &Document<'_>) -> Result<(), ParseError> {
    let elements = document.descendants().filter(Node::is_element);
    let (mut count, mut rules) = (0, 0);
    let mut ids = HashMap::new();
    for element in elements {
        count += 1;
        if let Some(id) = element.attribute("id") {
            ids.entry(id).or_insert(element);
        }
        if element.tag_name().name() == "style" {
            rules += element.text().map_or(0, |text| text.matches('{').count());
        }
    }
    if rules.saturating_mul(count) > RULES {
        return Err(ParseError::Limit("style"));
    }
    let mut walk = CostWalker { ids, known: HashMap::new(), open: HashSet::new() };
    walk.cost(document.root_element(), 0).map(|_| ())
}

/// What an element and all that it draws ask for.
#[derive(Clone, Copy, Default)]
struct DrawingCost {
    total: u64,
    /// Levels of elements.
    height: usize,
    /// Elements that may inherit a property.
    elements: u64,
    /// Corners of their paths.
    corners: u64,
}

struct CostWalker<'d, 'i> {
    ids: HashMap<&'d str, Node<'d, 'i>>,
    known: HashMap<NodeId, DrawingCost>,
    /// Elements whose parts are being looked at.
    open: HashSet<NodeId>,
}

impl<'d, 'i> CostWalker<'d, 'i> {
    fn cost(&mut self, element: Node<'d, 'i>, depth: usize) -> Result<DrawingCost, ParseError> {
        if let Some(known) = self.known.get(&element.id()) {
            return check_bounds(*known, depth);
        }
        if depth > DEPTH {
            return Err(ParseError::Limit("depth"));
        }
        if !self.open.insert(element.id()) {
            return Err(ParseError::Damaged("the drawing draws itself".to_owned()));
        }
        let mut sum = own_cost(element)?;
        for child in element.children().filter(Node::is_element) {
            let child = self.cost(child, depth + 1)?;
            sum.add(child, 1);
            sum.elements = sum.elements.saturating_add(child.elements);
            sum.corners = sum.corners.saturating_add(child.corners);
        }
        for (id, times) in references(element, sum) {
            if let Some(target) = self.ids.get(id).copied() {
                let target = self.cost(target, depth + 1)?;
                sum.add(target, times);
                if element.tag_name().name() == "use" {
                    sum.elements = sum.elements.saturating_add(target.elements);
                    sum.corners = sum.corners.saturating_add(target.corners);
                }
            }
        }
        self.open.remove(&element.id());
        self.known.insert(element.id(), sum);
        check_bounds(sum, depth)
    }
}

impl DrawingCost {
    fn add(&mut self, part: Self, times: u64) {
        self.total = self.total.saturating_add(part.total.saturating_mul(times));
        self.height = self.height.max(part.height + 1);
    }
}

fn check_bounds(effort: DrawingCost, depth: usize) -> Result<DrawingCost, ParseError> {
    if effort.total > MOST {
        return Err(ParseError::Limit("drawing"));
    }
    if depth + effort.height > DEPTH { Err(ParseError::Limit("depth")) } else { Ok(effort) }
}

/// What an element asks for by itself.
fn own_cost(element: Node<'_, '_>) -> Result<DrawingCost, ParseError> {
    let name = element.tag_name().name();
    let octaves = element.attribute("numOctaves").and_then(|number| number.trim().parse::<f64>().ok());
    if octaves.is_some_and(|octaves| octaves > OCTAVES) {
        return Err(ParseError::Limit("drawing"));
    }
    let layers = ["opacity", "mask", "clip-path", "filter", "mix-blend-mode"];
    let layers = layers.iter().filter(|name| element.has_attribute(**name)).count() as u64;
    let step = u64::from(name.starts_with("fe") || name == "image") * STEP;
    let corners = element.attribute("d").or_else(|| element.attribute("points")).map_or(0, str::len) / CORNER;
    Ok(DrawingCost { total: 1 + layers * LAYER + step, height: 0, elements: 1, corners: corners as u64 + 2 })
}

/// What an element refers to, and how often that may be drawn within it.
fn references<'d>(element: Node<'d, '_>, within: DrawingCost) -> Vec<(&'d str, u64)> {
    let mut found = Vec::new();
    let refers = REFERRING.contains(&element.tag_name().name());
    for attribute in element.attributes() {
        if attribute.name() == "href" {
            found.extend(attribute.value().trim().strip_prefix('#').filter(|_| refers).map(|id| (id, 1)));
            continue;
        }
        let times = match attribute.name() {
            "mask" | "clip-path" | "filter" => 1,
            name if name.starts_with("marker") => within.corners,
            "style" if attribute.value().contains("marker") => within.corners.max(within.elements),
            _ => within.elements,
        };
        for part in attribute.value().split("url(").skip(1) {
            let address = part.split(')').next().unwrap_or_default();
            let id = address
                .trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
                .strip_prefix('#');
            found.extend(id.map(|id| (id, times)));
        }
    }
    found
}
