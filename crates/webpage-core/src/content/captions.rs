//! Captions of pictures.

use html::{Id, Tree, is_block};
use language::fold::fold_phrase;
use language::page::PagePhrase;

use super::measure::Measure;
use crate::PageKind;
use crate::markdown::{FIGURE, figure, is_shown};

/// Maximum characters of a caption; a longer one is content of its own. Chosen by hand.
const LONG: u32 = 250;
/// Characters of a caption that are examined. Protects time.
const READ: usize = 1_000;

/// Removes the captions of pictures from the text. They interrupt it, and the description of the picture
/// contains them. In a manual a caption explains a drawing and stays.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    if kind == PageKind::Documentation {
        return;
    }
    for id in tree.range(root).skip(1).filter(|id| tree.name(*id) == "figcaption") {
        if !measure.is_dropped(id)
            && measure.text(tree, id) <= LONG
            && is_of_picture(tree, measure, id)
            && gives_credit(&tree.plain(id, READ))
        {
            measure.leave_out(tree, id);
        }
    }
}

/// Whether a caption is a picture credit.
fn gives_credit(caption: &str) -> bool {
    caption.contains('©') || fold_phrase(caption).split(' ').any(|word| PagePhrase::PictureCredit.has(word))
}

/// Whether the caption's figure has a picture and no other text.
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
