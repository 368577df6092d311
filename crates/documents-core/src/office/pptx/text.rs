//! Text of shapes: paragraphs and list items.

use super::super::flow::{FlowBlock, Inline};
use super::super::math;
use super::super::number_format::formatted;
use super::layout::{Bullet, Bullets, Layout, Placeholder, bullet, bullets};
use crate::package::Relations;
use crate::xml::Node;

/// Properties that the paragraphs of a text inherit.
pub(super) struct InheritedLayout<'l> {
    pub(super) layout: &'l Layout,
    pub(super) place: Option<Placeholder>,
}

/// The paragraphs of a text as blocks.
pub(super) fn blocks(
    body: Node<'_>,
    inherited: &InheritedLayout<'_>,
    relations: &Relations,
) -> Vec<FlowBlock> {
    let own = body.child("a:lstStyle").map(bullets).unwrap_or_default();
    let mut counts: Vec<u32> = Vec::new();
    let mut blocks = Vec::new();
    for paragraph in body.all("a:p") {
        let text = inline(paragraph, relations);
        if text.is_blank() {
            continue;
        }
        let properties = paragraph.child("a:pPr");
        let level = properties
            .and_then(|node| node.attribute("lvl"))
            .and_then(|level| level.parse().ok())
            .unwrap_or(0_usize)
            .min(8);
        let sign = properties
            .and_then(bullet)
            .or_else(|| by_style(&own, level))
            .or_else(|| inherited.layout.bullet(inherited.place.as_ref(), level));
        blocks.push(block(sign, level, text, &mut counts));
    }
    blocks
}

fn by_style(own: &Bullets, level: usize) -> Option<Bullet> {
    own.get(level).cloned().flatten()
}

fn block(sign: Option<Bullet>, level: usize, text: Inline, counts: &mut Vec<u32>) -> FlowBlock {
    let depth = u8::try_from(level).unwrap_or(u8::MAX);
    counts.truncate(level + 1);
    counts.resize(level + 1, 0);
    match sign {
        Some(Bullet::Sign) => FlowBlock::Item { depth, ordered: false, label: String::new(), text },
        Some(Bullet::Number(scheme, start)) => {
            let count =
                counts.last_mut().map_or(0, |count| std::mem::replace(count, count.saturating_add(1)));
            FlowBlock::Item { depth, ordered: true, label: label(start.saturating_add(count), &scheme), text }
        }
        _ => {
            counts.clear();
            FlowBlock::Paragraph(text)
        }
    }
}

/// A number in a scheme such as `romanUcParenR`.
fn label(number: u32, scheme: &str) -> String {
    let format = match scheme {
        scheme if scheme.starts_with("alphaLc") => "lowerLetter",
        scheme if scheme.starts_with("alphaUc") => "upperLetter",
        scheme if scheme.starts_with("romanLc") => "lowerRoman",
        scheme if scheme.starts_with("romanUc") => "upperRoman",
        _ => "decimal",
    };
    let number = formatted(number, format);
    match scheme {
        scheme if scheme.ends_with("ParenBoth") => format!("({number})"),
        scheme if scheme.ends_with("ParenR") => format!("{number})"),
        scheme if scheme.ends_with("Plain") => number,
        _ => format!("{number}."),
    }
}

/// The text of a paragraph with its links.
pub(super) fn inline(paragraph: Node<'_>, relations: &Relations) -> Inline {
    let mut text = Inline::default();
    add(paragraph, relations, &mut text);
    text
}

fn add(parent: Node<'_>, relations: &Relations, text: &mut Inline) {
    for node in parent.children() {
        match node.name() {
            "a:r" | "a:fld" => {
                let start = text.len();
                node.all("a:t").for_each(|part| text.push(&part.text()));
                let link = node.path(&["a:rPr", "a:hlinkClick"]).and_then(|link| link.attribute("r:id"));
                let target = link.and_then(|id| relations.get(id)).filter(|relation| relation.external);
                if let Some(relation) = target {
                    text.link(start, &relation.target);
                }
            }
            "a:br" => text.push("\n"),
            "m:oMath" | "m:oMathPara" => text.push(&math::text(node)),
            "mc:AlternateContent" => {
                if let Some(chosen) = node.child("mc:Choice").or_else(|| node.child("mc:Fallback")) {
                    add(chosen, relations, text);
                }
            }
            "a:pPr" | "a:endParaRPr" => {}
            _ => add(node, relations, text),
        }
    }
}
