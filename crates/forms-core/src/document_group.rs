//! The documents of a group, as the engine reads them: an attachment is a document of its own, so that its values
//! name it as their evidence, and a disagreement with the document that contains it is a conflict.

use std::ops::Range;
use std::sync::Arc;

use document::{Document, DocumentPart};

use crate::{Evidence, Extraction, GroupDocument, PictureReport};

/// Documents of a caller, divided into what contains attachments and the attachments.
#[derive(Clone, Debug, Default)]
pub struct DocumentGroup {
    documents: Vec<GroupDocument>,
    /// For each of `documents`, the index of the caller's document and the part's characters in it; no ranges
    /// for a whole document.
    origins: Vec<(usize, Vec<Range<usize>>)>,
    /// The number of the caller's documents.
    added: usize,
}

impl DocumentGroup {
    /// Adds a document of the caller. An attachment is named after both, such as `invoice.pdf#factur-x.xml`.
    pub fn add(&mut self, name: String, description: Option<String>, document: Arc<Document>) {
        let index = self.added;
        self.added += 1;
        let parts = document.parts();
        if parts.is_empty() {
            self.documents.push(GroupDocument { name, description, document, host: None });
            self.origins.push((index, Vec::new()));
            return;
        }
        let first = self.documents.len();
        for part in parts {
            let (name, host) = match part.name {
                Some(attachment) => (format!("{name}#{attachment}"), Some(first)),
                None => (name.clone(), None),
            };
            let document = Arc::new(part.document);
            self.documents.push(GroupDocument { name, description: description.clone(), document, host });
            self.origins.push((index, part.ranges));
        }
    }

    /// Adds some pages of a document of the caller. Evidence has the offsets of the whole.
    pub fn add_part(&mut self, name: String, description: Option<String>, part: DocumentPart) {
        let index = self.added;
        self.added += 1;
        self.documents.push(GroupDocument {
            name,
            description,
            document: Arc::new(part.document),
            host: None,
        });
        self.origins.push((index, part.ranges));
    }

    /// The documents for a request of the engine.
    #[must_use]
    pub fn documents(&self) -> &[GroupDocument] {
        &self.documents
    }

    /// The index among the added documents of a document of [`documents`](Self::documents).
    #[must_use]
    pub fn added_index(&self, document: usize) -> Option<usize> {
        self.origins.get(document).map(|(index, _)| *index)
    }

    /// Adds the caller's name of the document to each evidence, and turns offsets in an attachment into those of
    /// the document that contains it; documents of the report on pictures become those that were added. `named` has one entry per added document: its index among the caller's
    /// documents and the caller's reference, or `None` for documents that the caller did not name.
    pub fn name_documents(&self, extraction: &mut Extraction, named: &[Option<(u32, String)>]) {
        let sides = extraction.conflicts.iter_mut().flat_map(|conflict| &mut conflict.values);
        let all = extraction.evidence.values_mut().chain(sides.map(|side| &mut side.evidence));
        for evidence in all {
            let origin = evidence.index.and_then(|index| self.origins.get(usize::try_from(index).ok()?));
            if let Some((_, ranges)) = origin {
                move_offsets(evidence, ranges);
            }
            let own = origin.and_then(|(index, _)| named.get(*index)?.clone());
            (evidence.index, evidence.file) = own.unzip();
        }
        let PictureReport { seen, unseen } = &mut extraction.pictures;
        let seen = seen.iter_mut().map(|pages| &mut pages.document);
        for document in seen.chain(unseen.iter_mut().map(|pages| &mut pages.document)) {
            *document = self.added_index(*document).unwrap_or(*document);
        }
    }
}

fn move_offsets(evidence: &mut Evidence, ranges: &[Range<usize>]) {
    if let (Some(start), Some(end)) = (evidence.start, evidence.end)
        && start < end
        && !ranges.is_empty()
    {
        evidence.start = Some(DocumentPart::offset_in_whole(ranges, start));
        evidence.end = Some(DocumentPart::offset_in_whole(ranges, end - 1) + 1);
    }
}
