//! Pictures of calls after the planned ones: those for missing rows, and those of second readers. They have the pages that
//! the model saw and whose text is missing or doubtful, together as many as the planned calls may have.

use std::ops::Range;

use super::super::segment::{Segment, Source};
use super::choice::PictureReason;
use super::page_text::page_bytes;
use super::{GroupPictures, PageId, ShownPicture};

impl GroupPictures<'_> {
    /// The pictures of a follow-up prompt: of its segments' pages with text in it. `known`: those of the prompt that it
    /// follows.
    pub(in super::super) async fn load_followup(
        &self,
        shown: &[Segment],
        sources: &[Source<'_>],
        known: &[ShownPicture],
    ) -> Vec<ShownPicture> {
        let mut shown = shown.to_vec();
        for segment in &mut shown {
            let own = std::mem::take(&mut segment.pictures);
            segment.pictures = own.into_iter().filter(|page| has_text_of(segment, *page, sources)).collect();
        }
        self.load_again(&mut shown, sources, known).await
    }

    /// The pictures of the documents with these indices, each a segment of the result's prompt.
    pub(in super::super) async fn load_for_second_reader(
        &self,
        documents: &[usize],
        sources: &[Source<'_>],
    ) -> Vec<ShownPicture> {
        let whole = |document: &usize| {
            let source = sources.get(*document)?;
            let pictures = self.pages_to_read(*document).collect();
            Some(Segment { pictures, ..Segment::whole(*document, source) })
        };
        let mut shown: Vec<Segment> = documents.iter().filter_map(whole).collect();
        self.load_again(&mut shown, sources, &[]).await
    }

    /// The pages of a document that the model saw because their text is missing or doubtful.
    pub(in super::super) fn pages_to_read(&self, document: usize) -> impl Iterator<Item = u32> {
        let candidates = self.candidates.iter().filter(move |candidate| {
            candidate.document == document && candidate.reason <= PictureReason::DoubtfulText
        });
        candidates.map(|candidate| candidate.page).filter(move |page| self.has_seen((document, *page)))
    }

    fn has_seen(&self, page: PageId) -> bool {
        self.state.lock().seen.contains(&page)
    }

    /// The pictures of the segments' pages that are worth a second look, within the bounds of the group.
    async fn load_again(
        &self,
        shown: &mut [Segment],
        sources: &[Source<'_>],
        known: &[ShownPicture],
    ) -> Vec<ShownPicture> {
        let is_known = |page: PageId| known.iter().any(|own| (own.document, own.page) == page);
        let mut left = self.followups_left();
        for segment in shown.iter_mut() {
            let document = segment.document;
            segment.pictures.retain(|page| {
                let id = (document, *page);
                let is_shown = self.is_doubtful(id) && (is_known(id) || self.has_seen(id)) && left > 0;
                left -= usize::from(is_shown);
                is_shown
            });
        }
        let loaded = self.draw(shown, sources, known).await;
        self.state.lock().followups += loaded.len();
        loaded
    }

    /// Pictures that a further call may have: as many as a planned one had, and no more than are left of the group's.
    fn followups_left(&self) -> usize {
        let state = self.state.lock();
        state.most_planned.min(self.options.per_group.saturating_sub(state.followups))
    }

    fn is_doubtful(&self, (document, page): PageId) -> bool {
        let mut own = self.candidates.iter().filter(|own| own.document == document && own.page == page);
        own.any(|own| own.reason <= PictureReason::DoubtfulText)
    }
}

/// Whether a segment has text of a page.
fn has_text_of(segment: &Segment, page: u32, sources: &[Source<'_>]) -> bool {
    let Some(source) = sources.get(segment.document) else { return false };
    let page = source.document.document.pages.iter().find(|own| own.number == page);
    let Some(bytes) = page.map(|page| page_bytes(source, page)) else { return false };
    let meets = |piece: &Range<usize>| piece.start < bytes.end && bytes.start < piece.end;
    segment.pieces.iter().any(meets)
}
