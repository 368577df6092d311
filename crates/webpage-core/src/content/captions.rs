//! What stands below pictures.

use super::measure::Measure;
use crate::PageKind;
use crate::html::{Id, Tree, is_block};
use crate::markdown::{FIGURE, figure, is_shown};

/// Characters of a caption at the most; what is longer is told for its own sake.
const LONG: u32 = 250;

/// Leaves the captions of pictures out of the text: they break it where a picture stands, and their pictures say them. In a
/// manual they explain a drawing, and belong to it.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    if kind == PageKind::Documentation {
        return;
    }
    for id in tree.range(root).skip(1).filter(|id| tree.name(*id) == "figcaption") {
        if !measure.is_dropped(id)
            && measure.text(tree, id) <= LONG
            && is_of_picture(tree, measure, id)
            && gives_credit(&tree.plain(id, 1_000))
        {
            measure.leave_out(tree, id);
        }
    }
}

/// Whether a caption says whose the picture is.
fn gives_credit(caption: &str) -> bool {
    const WORDS: [&str; 21] = [
        "agency",
        "bild",
        "courtesy",
        "credit",
        "credits",
        "crédit",
        "fotografie",
        "foto",
        "illustration",
        "image",
        "images",
        "photo",
        "photographer",
        "photography",
        "photograph",
        "photos",
        "picture",
        "pictures",
        "quelle",
        "source",
        "via",
    ];
    caption.contains('©') || crate::text::comparison_key(caption).split(' ').any(|word| WORDS.contains(&word))
}

/// Whether the caption's figure shows a picture and nothing else that has a text.
fn is_of_picture(tree: &Tree<'_>, measure: &Measure, caption: Id) -> bool {
    let Some(figure) = figure(tree, caption) else { return false };
    let has_picture = tree
        .range(figure)
        .take(FIGURE)
        .any(|id| tree.name(id) == "img" && !measure.is_dropped(id) && is_shown(tree, id));
    let is_plain = !tree
        .range(caption)
        .skip(1)
        .any(|id| is_block(tree.name(id)) && tree.name(id) != "p" && tree.name(id) != "div");
    has_picture && is_plain && measure.text(tree, figure) <= 2 * LONG
}
