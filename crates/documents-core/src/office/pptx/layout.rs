//! Properties that slides inherit: whether the paragraphs of a placeholder are list items.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::package::Package;
use crate::ParseError;
use crate::xml::{self, Node};

/// Levels of a text (ECMA-376 part 1, 21.1.2.4: `lvl1pPr` to `lvl9pPr`).
const LEVELS: usize = 9;

/// Maximum placeholders of a layout. Protects time.
const PLACES: usize = 200;

/// The bullet of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bullet {
    None,
    Sign,
    /// A number, with its scheme and its first value.
    Number(String, u32),
}

/// Bullets of paragraphs, by level.
pub(super) type Bullets = Vec<Option<Bullet>>;

/// A placeholder on a slide: its type and its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placeholder {
    pub(super) kind: String,
    pub(super) index: String,
}

/// The placeholders of a layout or master.
#[derive(Debug, Default)]
pub(super) struct Layout {
    places: Vec<(Placeholder, Bullets)>,
    body: Bullets,
    other: Bullets,
    master: Option<Rc<Layout>>,
}

/// The parsed layouts, by part.
#[derive(Debug, Default)]
pub(super) struct Layouts(HashMap<String, Rc<Layout>>);

impl Layouts {
    /// The layout or, for `depth` 1, the master that a part refers to.
    pub(super) fn of(
        &mut self,
        package: &Package<'_>,
        part: &str,
        depth: usize,
    ) -> Result<Rc<Layout>, ParseError> {
        let kind = if depth == 0 { "slideLayout" } else { "slideMaster" };
        let relations = package.relations(part)?;
        let Some(target) = relations.into_values().find(|relation| relation.kind == kind) else {
            return Ok(Rc::default());
        };
        let target = target.target;
        if let Some(known) = self.0.get(&target) {
            return Ok(Rc::clone(known));
        }
        let mut layout = match package.part(&target)? {
            Some(text) => read(&text, package),
            None => Layout::default(),
        };
        if depth == 0 {
            layout.master = Some(self.of(package, &target, 1)?);
        }
        let layout = Rc::new(layout);
        self.0.insert(target, Rc::clone(&layout));
        Ok(layout)
    }
}

fn read(text: &str, package: &Package<'_>) -> Layout {
    let mut layout = Layout::default();
    let Ok(tree) = xml::tree(text, &package.limits) else { return layout };
    let Some(root) = tree.root() else { return layout };
    for shape in root.descendants().filter(|node| node.name() == "p:sp").take(PLACES) {
        if let (Some(place), Some(style)) = (placeholder(shape), shape.path(&["p:txBody", "a:lstStyle"])) {
            layout.places.push((place, bullets(style)));
        }
    }
    let style = |name: &str| root.path(&["p:txStyles", name]).map(bullets).unwrap_or_default();
    layout.body = style("p:bodyStyle");
    layout.other = style("p:otherStyle");
    layout
}

/// The placeholder that a shape fills.
pub(super) fn placeholder(shape: Node<'_>) -> Option<Placeholder> {
    let node = shape.path(&["p:nvSpPr", "p:nvPr", "p:ph"])?;
    let value = |name: &str, usual: &str| node.attribute(name).unwrap_or(usual).to_owned();
    Some(Placeholder { kind: value("type", "obj"), index: value("idx", "0") })
}

/// The bullets of each level in a list style.
pub(super) fn bullets(style: Node<'_>) -> Bullets {
    (1..=LEVELS).map(|level| style.child(&format!("a:lvl{level}pPr")).and_then(bullet)).collect()
}

/// The bullet in a paragraph's own properties.
pub(super) fn bullet(properties: Node<'_>) -> Option<Bullet> {
    properties.children().find_map(|node| match node.name() {
        "a:buNone" => Some(Bullet::None),
        "a:buChar" | "a:buBlip" => Some(Bullet::Sign),
        "a:buAutoNum" => {
            let start = node.attribute("startAt").and_then(|start| start.parse().ok()).unwrap_or(1);
            Some(Bullet::Number(node.attribute("type").unwrap_or("arabicPeriod").to_owned(), start))
        }
        _ => None,
    })
}

impl Layout {
    /// The inherited bullet of a paragraph in a placeholder, or in a text without one.
    pub(super) fn bullet(&self, place: Option<&Placeholder>, level: usize) -> Option<Bullet> {
        let at = |bullets: &Bullets| bullets.get(level).cloned().flatten();
        let master = self.master.as_deref();
        let Some(place) = place else { return master.and_then(|master| at(&master.other)) };
        let own = self.places.iter().find(|(known, _)| {
            known.index == place.index || (known.kind == place.kind && place.kind != "obj")
        });
        let inherited = master.and_then(|master| {
            master
                .places
                .iter()
                .find(|(known, _)| known.kind == place.kind)
                .and_then(|(_, bullets)| at(bullets))
        });
        let is_body = matches!(place.kind.as_str(), "obj" | "body" | "subTitle" | "tbl" | "chart" | "media");
        own.and_then(|(_, bullets)| at(bullets))
            .or(inherited)
            .or_else(|| master.filter(|_| is_body).and_then(|master| at(&master.body)))
    }
}
