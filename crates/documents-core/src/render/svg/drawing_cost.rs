//! Estimates the cost of a drawing before it is rendered: a few lines can repeat each other into millions of
//! shapes.
//!
//! References made by style sheets are not followed here; the limits of the library and of the caller apply
//! to them.

use std::collections::{HashMap, HashSet};

use document::ParseError;
use resvg::usvg::roxmltree::{Document, Node, NodeId};

/// Maximum cost, in shapes.
const MOST: u64 = 2_000_000;
/// Maximum nesting of elements, including references.
const DEPTH: usize = 200;
/// Maximum product of elements and style sheet rules.
const RULES: usize = 20_000_000;
/// Maximum octaves of noise: each costs as much as the first.
const OCTAVES: f64 = 10.0;
/// Cost of a separate layer, a filter step or an image, in shapes.
const LAYER: u64 = 50;
const STEP: u64 = 2_000;
/// Minimum bytes of a path for each of its corners.
const CORNER: usize = 4;
/// Elements that draw the target of their reference.
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

/// Rejects drawings that are too expensive, and those that refer to themselves.
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

/// Cost of an element with everything that it draws.
#[derive(Clone, Copy, Default)]
struct DrawingCost {
    total: u64,
    /// Nesting levels.
    height: usize,
    /// Elements that may inherit a property.
    elements: u64,
    /// Corners of its paths.
    corners: u64,
}

struct CostWalker<'d, 'i> {
    ids: HashMap<&'d str, Node<'d, 'i>>,
    known: HashMap<NodeId, DrawingCost>,
    /// Elements on the path from the root, to detect cycles.
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

/// Cost of an element itself.
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

/// The references of an element, and how often their targets may be drawn within it.
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
