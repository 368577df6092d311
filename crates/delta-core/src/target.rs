//! What one record of a run is made of: the caller's groups, each document, or parts of each.

use document::{Document, DocumentUnit, PageRanges};
use intake_core::{Division, divide};

use crate::DocumentRef;

/// What gives one record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunTarget {
    /// A group as the caller made it.
    #[default]
    Group,
    /// Each document of each group.
    Document,
    /// A document within a document, as the splitter divides it.
    Part,
    /// A page; a whole document where its format has no pages.
    Page,
    /// A row of the main table, with its head.
    Row,
    /// A heading with its text.
    Section,
}

impl RunTarget {
    /// Every target.
    pub const ALL: [Self; 6] =
        [Self::Group, Self::Document, Self::Part, Self::Page, Self::Row, Self::Section];

    /// The name in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Document => "document",
            Self::Part => "part",
            Self::Page => "page",
            Self::Row => "row",
            Self::Section => "section",
        }
    }

    /// The target of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Whether a document must be read to tell its groups.
    pub(crate) fn reads(self) -> bool {
        !matches!(self, Self::Group | Self::Document)
    }

    /// What the document `read` is made of, and the pages without content that are in none of it.
    pub(crate) fn divide(
        self,
        document: &DocumentRef,
        read: &Document,
    ) -> (Vec<DocumentRef>, Option<PageRanges>) {
        let units = match self {
            Self::Group | Self::Document => Vec::new(),
            Self::Part => return parts(document, read),
            Self::Page => pages(document, read),
            Self::Row => units(document, read, DocumentUnit::Row(1), Document::rows),
            Self::Section => units(document, read, DocumentUnit::Section(1), Document::sections),
        };
        (if units.is_empty() { vec![document.clone()] } else { units }, None)
    }
}

/// The pages of a document that are meant. A document whose pages cannot be told apart, or that lacks a page that
/// is meant, is left as it is.
fn pages(document: &DocumentRef, read: &Document) -> Vec<DocumentRef> {
    let last = read.pages.iter().map(|page| page.number).max();
    let is_missing = document.pages.as_ref().is_some_and(|pages| Some(pages.last()) > last);
    if is_missing {
        return Vec::new();
    }
    let numbers = read.pages.iter().map(|page| page.number);
    let meant = numbers.filter(|number| document.pages.as_ref().is_none_or(|pages| pages.contains(*number)));
    let page = |number| DocumentRef { pages: PageRanges::of(number, number), ..document.clone() };
    meant.map(page).collect()
}

/// The documents in a document. One whose pages cannot be read is left as it is.
fn parts(document: &DocumentRef, read: &Document) -> (Vec<DocumentRef>, Option<PageRanges>) {
    let whole = || (vec![document.clone()], None);
    let divided = match read.selection(document.pages.as_ref(), None) {
        Ok(Some(part)) => divide(&part.document),
        Ok(None) => divide(read),
        Err(_) => return whole(),
    };
    let Some(Division { parts, blank, .. }) = divided else { return whole() };
    let part = |pages| DocumentRef { pages: Some(pages), ..document.clone() };
    (parts.into_iter().map(|one| part(one.pages)).collect(), PageRanges::of_pages(blank))
}

/// The rows or sections of the pages that are meant. Where there are none, `first` stands for them: its group tells that
/// it is missing.
fn units(
    document: &DocumentRef,
    read: &Document,
    first: DocumentUnit,
    of: fn(&Document) -> Vec<DocumentUnit>,
) -> Vec<DocumentRef> {
    let found = match read.selection(document.pages.as_ref(), None) {
        Ok(Some(part)) => of(&part.document),
        Ok(None) => of(read),
        Err(_) => return Vec::new(),
    };
    let unit = |unit| DocumentRef { unit: Some(unit), ..document.clone() };
    if found.is_empty() { vec![unit(first)] } else { found.into_iter().map(unit).collect() }
}

#[cfg(test)]
mod tests {
    use document::{Block, BlockKind, Page};

    use super::*;

    #[test]
    fn a_document_is_divided_into_the_pages_that_are_meant() {
        let page = |number| Page { number, ..Page::default() };
        let three = Document { pages: (1..=3).map(page).collect(), ..Document::default() };
        let of = |range: Option<&str>, document: &Document| -> Vec<Option<String>> {
            let pages = range.map(|range| range.parse().unwrap());
            let named = DocumentRef { pages, ..DocumentRef::new("1") };
            let (all, _) = RunTarget::Page.divide(&named, document);
            all.into_iter().map(|one| one.pages.map(|pages| pages.to_string())).collect()
        };
        let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
        assert_eq!(of(None, &three), some(&["1", "2", "3"]));
        assert_eq!(of(Some("2-3"), &three), some(&["2", "3"]));
        assert_eq!(of(Some("3-4"), &three), some(&["3-4"]), "its group says that there is no page 4");
        assert_eq!(of(None, &Document::default()), [None]);
    }

    #[test]
    fn a_document_is_divided_into_sections_and_one_without_a_table_says_so() {
        let block = |start, end, kind| Block { kind, start, end, page: None, rect: None };
        let heading = || BlockKind::Heading { level: 1 };
        let document = Document {
            text: "A\n\nx\n\nB\n\ny".into(),
            blocks: vec![block(0, 1, heading()), block(3, 4, BlockKind::Paragraph), block(6, 7, heading())],
            ..Document::default()
        };
        let of = |target: RunTarget, document: &Document| -> Vec<Option<DocumentUnit>> {
            target.divide(&DocumentRef::new("1"), document).0.into_iter().map(|one| one.unit).collect()
        };
        let sections = [DocumentUnit::Section(1), DocumentUnit::Section(2)].map(Some);
        assert_eq!(of(RunTarget::Section, &document), sections);
        assert_eq!(of(RunTarget::Row, &document), [Some(DocumentUnit::Row(1))]);
        assert_eq!(of(RunTarget::Part, &document), [None]);
    }

    #[test]
    fn targets_have_names() {
        assert!(RunTarget::ALL.iter().all(|target| RunTarget::of_name(target.name()) == Some(*target)));
        assert_eq!((RunTarget::of_name("rows"), RunTarget::default()), (None, RunTarget::Group));
    }
}
