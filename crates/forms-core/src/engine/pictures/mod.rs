//! Pictures of pages beside their text in the prompt: which pages, in which prompts, and what the model says of them.

mod choice;
mod division;
mod marks;
mod page_text;
mod places;
mod request;
mod shown_picture;

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;

use super::segment::{Segment, Source};
use crate::{
    Field, PagePictures, PictureOptions, PicturePolicy, PictureReport, SeenPages, UnseenPages, UnseenReason,
};
use choice::{Candidate, PictureReason, candidates};
pub(super) use division::ChosenPages;
use marks::MarkLabels;
pub(super) use marks::settle_marks;
pub(super) use places::{NamedPlace, attach_places, take_places};
pub(super) use request::{add_pictures, add_places, places_key};
pub(super) use shown_picture::ShownPicture;

/// Bytes of a picture at most: Anthropic takes five megabytes in base64 (its documentation of vision).
const MAX_PICTURE_BYTES: usize = 3_750_000;
/// Bytes of the pictures of a call at most. Google takes 20 megabytes in base64 for a request (its documentation of
/// images); this bounds the memory of the calls that a group makes at the same time too.
const MAX_CALL_BYTES: usize = 8 << 20;

/// A document and a page of it.
type PageId = (usize, u32);

/// The pictures of one group.
#[derive(Debug)]
pub(super) struct GroupPictures<'a> {
    pictures: Option<&'a dyn PagePictures>,
    candidates: Vec<Candidate>,
    per_call: usize,
    per_group: usize,
    /// Whether the model is known to take no pictures.
    is_blind: bool,
    /// Whether the form asks for marks, which text does not replace.
    has_marks: bool,
    state: Mutex<PictureState>,
}

#[derive(Debug, Default)]
struct PictureState {
    /// Whether the model refused pictures.
    is_refused: bool,
    seen: BTreeSet<PageId>,
    failed: BTreeSet<PageId>,
}

impl<'a> GroupPictures<'a> {
    /// `vision`: whether the model takes pictures, where that is known. `fields`: those of the form.
    pub(super) fn new(
        pictures: Option<&'a dyn PagePictures>,
        options: PictureOptions,
        vision: Option<bool>,
        fields: &[Field],
        sources: &[Source<'_>],
    ) -> Self {
        let pictures = pictures.filter(|_| options.policy == PicturePolicy::Auto);
        let marks = MarkLabels::of(fields);
        let candidates = if pictures.is_some() { candidates(sources, &marks) } else { Vec::new() };
        let has_marks = !marks.is_empty();
        let (per_call, per_group) = (options.per_call.max(1), options.per_group);
        let is_blind = vision == Some(false);
        Self { pictures, candidates, per_call, per_group, is_blind, has_marks, state: Mutex::default() }
    }

    /// The pages to show, by priority within the bound of the group. `smaller` divides the pictures of a call, as it does
    /// the texts.
    pub(super) fn chosen(&self, sources: &[Source<'_>], smaller: usize) -> ChosenPages {
        let mut pages = vec![Vec::new(); sources.len()];
        if !self.takes_none() {
            for candidate in self.within_limit() {
                if let Some(own) = pages.get_mut(candidate.document) {
                    own.push(candidate.page);
                }
            }
        }
        pages.iter_mut().for_each(|own| own.sort_unstable());
        ChosenPages { pages, per_call: (self.per_call / smaller.max(1)).max(1) }
    }

    fn within_limit(&self) -> Vec<Candidate> {
        let mut all = self.candidates.clone();
        all.sort_by_key(|candidate| candidate.reason);
        all.truncate(self.per_group);
        all
    }

    /// Whether the model takes no pictures, as is known or has turned out.
    pub(super) fn takes_none(&self) -> bool {
        self.is_blind || self.state.lock().is_refused
    }

    /// The model refused pictures: no further call has any.
    pub(super) fn refuse(&self) {
        self.state.lock().is_refused = true;
    }

    /// The pictures of the segments of a prompt, within the bytes of a call. One that cannot be drawn, or has no room, is
    /// left out.
    pub(super) async fn load(&self, shown: &[Segment], sources: &[Source<'_>]) -> Vec<ShownPicture> {
        let mut loaded = Vec::new();
        let Some(pictures) = self.pictures.filter(|_| !self.takes_none()) else { return loaded };
        let mut room = MAX_CALL_BYTES;
        for (segment, own) in shown.iter().enumerate() {
            for page in &own.pictures {
                let most = room.min(MAX_PICTURE_BYTES);
                match pictures.picture(own.document, *page).await {
                    Ok(media) if media.bytes.len() <= most => {
                        room -= media.bytes.len();
                        let (document, page) = (own.document, *page);
                        let size = known_size(sources, document, page);
                        loaded.push(ShownPicture { segment, document, page, size, media });
                    }
                    _ => drop(self.state.lock().failed.insert((own.document, *page))),
                }
            }
        }
        loaded
    }

    /// Adds the sizes of pages in which the model names places, where the document does not have them.
    pub(super) async fn add_sizes(&self, shown: &mut [ShownPicture], places: &[NamedPlace]) {
        let Some(pictures) = self.pictures else { return };
        for (position, picture) in shown.iter_mut().enumerate() {
            if picture.size.is_none() && places.iter().any(|place| place.is_in(position)) {
                picture.size = pictures.page_size(picture.document, picture.page).await;
            }
        }
    }

    /// Records that a model answered a prompt with these pictures.
    pub(super) fn record_seen(&self, shown: &[ShownPicture]) {
        self.state.lock().seen.extend(shown.iter().map(|picture| (picture.document, picture.page)));
    }

    /// What was shown, and what was not.
    pub(super) fn report(&self) -> PictureReport {
        let state = self.state.lock();
        let within: BTreeSet<PageId> =
            self.within_limit().iter().map(|candidate| (candidate.document, candidate.page)).collect();
        let mut unseen: BTreeMap<(usize, UnseenReason), Vec<u32>> = BTreeMap::new();
        for candidate in &self.candidates {
            let id = (candidate.document, candidate.page);
            if state.seen.contains(&id) {
                continue;
            }
            let reason = if self.is_blind || state.is_refused {
                // Text that was read needs no picture.
                if candidate.reason != PictureReason::Unread && !self.has_marks {
                    continue;
                }
                UnseenReason::Model
            } else if !within.contains(&id) {
                UnseenReason::Limit
            } else if state.failed.contains(&id) {
                UnseenReason::Failed
            } else {
                continue;
            };
            unseen.entry((candidate.document, reason)).or_default().push(candidate.page);
        }
        let mut seen: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (document, page) in &state.seen {
            seen.entry(*document).or_default().push(*page);
        }
        PictureReport {
            seen: seen.into_iter().map(|(document, pages)| SeenPages { document, pages }).collect(),
            unseen: unseen
                .into_iter()
                .map(|((document, reason), pages)| UnseenPages { document, reason, pages })
                .collect(),
        }
    }
}

fn known_size(sources: &[Source<'_>], document: usize, page: u32) -> Option<(f32, f32)> {
    let pages = &sources.get(document)?.document.document.pages;
    let page = pages.iter().find(|own| own.number == page)?;
    (page.width > 0.0 && page.height > 0.0).then_some((page.width, page.height))
}

/// Whether a prompt would have no text and no picture, though its documents have pages that could not be read.
pub(super) fn shows_nothing(shown: &[Segment], sources: &[Source<'_>]) -> bool {
    let is_blank = |segment: &Segment| {
        let Some(source) = sources.get(segment.document) else { return true };
        let has_unread = source.document.document.pages.iter().any(|page| page.needs_ocr);
        has_unread && segment.pieces.iter().all(|piece| source.slice(piece).trim().is_empty())
    };
    !shown.is_empty() && shown.iter().all(is_blank)
}
