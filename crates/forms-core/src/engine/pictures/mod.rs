//! Pictures of pages beside their text in the prompt: which pages, in which prompts, and what the model says of them.

mod choice;
mod division;
mod followup;
mod ink;
mod marks;
mod named_place;
mod page_text;
mod places;
mod request;
mod shown_picture;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use gen_core::ModelId;
use parking_lot::Mutex;

use super::picture_refusals::PictureRefusals;
use super::segment::{Segment, Source};
use crate::{
    Field, PagePictures, PictureOptions, PicturePolicy, PictureReport, SeenPages, UnseenPages, UnseenReason,
};
use choice::{Candidate, PictureReason, candidates};
pub(super) use division::ChosenPages;
use marks::MarkLabels;
pub(super) use marks::settle_marks;
pub(super) use named_place::{NamedPlace, take_places};
pub(super) use places::attach_places;
pub(super) use request::{add_pictures, add_places, places_key};
pub(super) use shown_picture::ShownPicture;
use tokens::picture_tokens;

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
    model: &'a ModelId,
    candidates: Vec<Candidate>,
    options: PictureOptions,
    /// Whether the model is known to take no pictures.
    is_blind: bool,
    /// Whether the form asks for marks, which text does not replace.
    has_marks: bool,
    /// What the models of the run refused before.
    refusals: Option<&'a PictureRefusals>,
    state: Mutex<PictureState>,
}

#[derive(Debug, Default)]
struct PictureState {
    /// Whether the model refused pictures.
    is_refused: bool,
    seen: BTreeSet<PageId>,
    failed: BTreeSet<PageId>,
    /// Pages left out for the bound on tokens.
    limited: BTreeSet<PageId>,
    /// Tokens of the pictures so far.
    tokens: u64,
    /// The most pictures of a planned call.
    most_planned: usize,
    /// Pictures of follow-up calls so far.
    followups: usize,
}

impl<'a> GroupPictures<'a> {
    /// `vision`: whether the model takes pictures, where that is known. `fields`: those of the form.
    pub(super) fn new(
        pictures: Option<&'a dyn PagePictures>,
        options: PictureOptions,
        (model, vision): (&'a ModelId, Option<bool>),
        fields: &[Field],
        sources: &[Source<'_>],
    ) -> Self {
        let own = Self::planned(options, (model, vision), fields, sources);
        let pictures = pictures.filter(|_| options.policy == PicturePolicy::Auto);
        let candidates = if pictures.is_some() { own.candidates } else { Vec::new() };
        Self { pictures, candidates, ..own }
    }

    /// The pictures that a group would have. None is drawn.
    pub(super) fn planned(
        options: PictureOptions,
        (model, vision): (&'a ModelId, Option<bool>),
        fields: &[Field],
        sources: &[Source<'_>],
    ) -> Self {
        let marks = MarkLabels::of(fields);
        let is_auto = options.policy == PicturePolicy::Auto;
        Self {
            pictures: None,
            model,
            candidates: if is_auto { candidates(sources, &marks) } else { Vec::new() },
            options,
            is_blind: vision == Some(false),
            has_marks: !marks.is_empty(),
            refusals: None,
            state: Mutex::default(),
        }
    }

    /// Adds what the models of the run refused before.
    pub(super) fn with_refusals(self, refusals: Option<&'a PictureRefusals>) -> Self {
        Self { refusals, ..self }
    }

    /// The pages to show, by priority within the bound of the group. `smaller` divides the pictures of a call, as it does
    /// the texts.
    pub(super) fn chosen(&self, sources: &[Source<'_>], smaller: usize) -> ChosenPages {
        let mut pages = vec![Vec::new(); sources.len()];
        self.state.lock().tokens = 0;
        if !self.takes_none() {
            for candidate in self.within_limit(sources) {
                if let Some(own) = pages.get_mut(candidate.document) {
                    own.push(candidate.page);
                }
            }
        }
        pages.iter_mut().for_each(|own| own.sort_unstable());
        ChosenPages { pages, per_call: (self.options.per_call.max(1) / smaller.max(1)).max(1) }
    }

    fn within_limit(&self, sources: &[Source<'_>]) -> Vec<Candidate> {
        let mut all = self.candidates.clone();
        all.sort_by_key(|candidate| candidate.reason);
        all.truncate(self.options.per_group);
        let mut tokens = 0;
        all.retain(|candidate| {
            tokens += self.tokens_of(candidate.document, candidate.page, sources);
            self.is_within(tokens)
        });
        all
    }

    /// The input tokens of the picture of a page.
    pub(super) fn tokens_of(&self, document: usize, page: u32, sources: &[Source<'_>]) -> u64 {
        picture_tokens(self.model.provider, known_size(sources, document, page))
    }

    /// Whether a group may have pictures of so many tokens.
    fn is_within(&self, tokens: u64) -> bool {
        self.options.tokens_per_group == 0 || tokens <= self.options.tokens_per_group
    }

    /// Whether the model takes no pictures, as is known or has turned out.
    fn takes_none(&self) -> bool {
        self.is_blind || self.state.lock().is_refused || self.is_refused_by(self.model)
    }

    /// Whether a model of the run refused pictures in other groups.
    pub(super) fn is_refused_by(&self, model: &ModelId) -> bool {
        self.refusals.is_some_and(|refusals| refusals.has(model))
    }

    /// No further call of this group has pictures.
    pub(super) fn refuse(&self) {
        self.state.lock().is_refused = true;
    }

    /// Records that a model refused pictures; `is_confirmed`: it answered without them.
    pub(super) fn record_refused(&self, model: &ModelId, is_confirmed: bool) {
        if let Some(refusals) = self.refusals {
            refusals.record_refused(model, is_confirmed);
        }
    }

    /// The pictures of the segments of a planned prompt, within the bytes of a call. One that cannot be drawn, or has no
    /// room, is left out.
    pub(super) async fn load(&self, shown: &[Segment], sources: &[Source<'_>]) -> Vec<ShownPicture> {
        if self.takes_none() {
            return Vec::new();
        }
        let loaded = self.draw(shown, sources, &[]).await;
        let mut state = self.state.lock();
        state.most_planned = state.most_planned.max(loaded.len());
        loaded
    }

    /// The pictures of segments; those that are `known` are not drawn again.
    async fn draw(
        &self,
        shown: &[Segment],
        sources: &[Source<'_>],
        known: &[ShownPicture],
    ) -> Vec<ShownPicture> {
        let mut loaded = Vec::new();
        let Some(pictures) = self.pictures else { return loaded };
        let mut room = MAX_CALL_BYTES;
        for (segment, own) in shown.iter().enumerate() {
            for &page in &own.pictures {
                let document = own.document;
                if !self.spend(document, page, sources) {
                    continue;
                }
                let drawn = known.iter().find(|known| known.document == document && known.page == page);
                let media = match drawn {
                    Some(known) => Ok(known.media.clone()),
                    None => pictures.picture(document, page).await,
                };
                match media {
                    Ok(media) if media.bytes.len() <= room.min(MAX_PICTURE_BYTES) => {
                        room -= media.bytes.len();
                        let size = known_size(sources, document, page);
                        loaded.push(ShownPicture { segment, document, page, size, media });
                    }
                    _ => drop(self.state.lock().failed.insert((document, page))),
                }
            }
        }
        loaded
    }

    /// Counts the tokens of a picture; false where the group may not have them.
    fn spend(&self, document: usize, page: u32, sources: &[Source<'_>]) -> bool {
        let tokens = self.tokens_of(document, page, sources);
        let mut state = self.state.lock();
        let is_within = self.is_within(state.tokens + tokens);
        match is_within {
            true => state.tokens += tokens,
            false => drop(state.limited.insert((document, page))),
        }
        is_within
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

    /// Records that the model answered a prompt with these pictures.
    pub(super) fn record_seen(&self, shown: &[ShownPicture]) {
        if let Some(refusals) = self.refusals {
            refusals.record_taken(self.model);
        }
        self.state.lock().seen.extend(shown.iter().map(|picture| (picture.document, picture.page)));
    }

    /// What was shown, and what was not.
    pub(super) fn report(&self, sources: &[Source<'_>]) -> PictureReport {
        let is_blind = self.takes_none();
        let state = self.state.lock();
        let within: BTreeSet<PageId> =
            self.within_limit(sources).iter().map(|candidate| (candidate.document, candidate.page)).collect();
        let mut unseen: BTreeMap<(usize, UnseenReason), Vec<u32>> = BTreeMap::new();
        for candidate in &self.candidates {
            let id = (candidate.document, candidate.page);
            if state.seen.contains(&id) {
                continue;
            }
            let reason = if is_blind {
                // Text that was read needs no picture.
                if candidate.reason != PictureReason::Unread && !self.has_marks {
                    continue;
                }
                UnseenReason::Model
            } else if !within.contains(&id) || state.limited.contains(&id) {
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
