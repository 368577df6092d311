//! The documents of a prompt, and the question about them.

use gen_core::estimate_tokens;

use super::super::field_question::FieldQuestion;
use super::super::pictures::GroupPictures;
use super::super::repeated_lines::CopyIndex;
use super::super::segment::{Segment, Source};

/// The documents of a prompt, and the question about them.
#[derive(Debug)]
pub(in super::super) struct DocumentReading<'a> {
    pub(in super::super) sources: &'a [Source<'a>],
    pub(in super::super) copies: &'a CopyIndex,
    pub(in super::super) shown: &'a [Segment],
    /// The system prompt.
    pub(in super::super) system: &'a str,
    pub(in super::super) pictures: &'a GroupPictures<'a>,
    /// The initial question.
    pub(in super::super) question: FieldQuestion<'a>,
}

impl DocumentReading<'_> {
    /// Estimated tokens of segments.
    pub(super) fn tokens(&self, shown: &[Segment]) -> usize {
        let of = |segment: &Segment| {
            let source = self.sources.get(segment.document)?;
            Some(segment.pieces.iter().map(|piece| estimate_tokens(source.slice(piece))).sum::<usize>())
        };
        shown.iter().filter_map(of).sum()
    }
}
