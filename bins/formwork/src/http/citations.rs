//! What answers are based on, as it is told: the passages, the statements and their citations.

use gen_core::{ContextItem, PrintedPlace, SourceCitation, Statement};
use schemars::JsonSchema;
use serde::Serialize;

/// A passage that the answer was to be based on.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextRecord {
    /// Its number in the text.
    n: usize,
    /// The knowledge base that it is from; null for documents of `urls`.
    knowledge_id: Option<String>,
    /// The item's or file's id.
    id: String,
    /// Its title.
    title: String,
    /// The page of the first sentence of it that the answer cites; of one that is not cited, the page of what was
    /// found in it.
    page: Option<u32>,
    /// How well it fits the prompt, 0 to 1, on one scale for all sources: the share of the prompt's words that it has,
    /// weighed by how rare they are, or the score of its knowledge base where vectors rank it higher.
    score: f64,
    /// Its text.
    text: String,
    /// The pages that the sentences stand on which the answer cites; absent where none is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<u32>,
    /// First character, in the text of the document, of the first sentence that the answer cites; absent where it is
    /// not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    /// After its last character.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    /// Where it is printed on `page`; absent where that is not known.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<BoxRecord>,
}

/// A sentence of an answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct StatementRecord {
    /// First character in `text`, in Unicode characters.
    start: usize,
    /// After the last character, its citations included.
    end: usize,
    /// The numbers of the passages that it cites.
    citations: Vec<usize>,
    /// Whether one of them says what it says: enough of its words, all its numbers and names. One without citations
    /// is checked against those of the next statement of its paragraph that has some.
    supported: bool,
}

/// A citation of an answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct CitationRecord {
    /// The number of the passage in `context`.
    n: usize,
    /// The statement that cites it.
    statement: SpanRecord,
    /// The page that the quote begins on; null where there are no pages.
    page: Option<u32>,
    /// All pages that it stands on.
    pages: Vec<u32>,
    /// The sentence of the passage that has most of the statement; empty where none has any of it.
    quote: String,
    /// First character of the quote in the text of the document; null where it is not known.
    start: Option<u64>,
    /// After its last character.
    end: Option<u64>,
    /// Where the quote is printed on `page`; null where that is not known.
    #[serde(rename = "box")]
    rect: Option<BoxRecord>,
    /// Whether the passage says what the statement says.
    supported: bool,
}

/// A part of a text, in Unicode characters.
#[derive(Serialize, JsonSchema)]
struct SpanRecord {
    /// First character.
    start: usize,
    /// After the last one.
    end: usize,
}

/// A rectangle in points; origin at the top left of the upright page.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct BoxRecord {
    /// Left.
    x0: f64,
    /// Top.
    y0: f64,
    /// Right.
    x1: f64,
    /// Bottom.
    y1: f64,
}

impl ContextRecord {
    /// The passages of an answer, with where it rests on them.
    pub(super) fn all(context: Vec<ContextItem>, citations: &[SourceCitation]) -> Vec<Self> {
        context.into_iter().map(|item| Self::of(item, citations)).collect()
    }

    fn of(item: ContextItem, citations: &[SourceCitation]) -> Self {
        let own = || citations.iter().filter(|citation| citation.n == item.n);
        let mut pages: Vec<u32> = own().flat_map(|citation| pages(&citation.place)).collect();
        pages.sort_unstable();
        pages.dedup();
        let first = own().find(|citation| citation.span.is_some());
        Self {
            n: item.n,
            knowledge_id: item.knowledge_id,
            id: item.id,
            title: item.title,
            page: item.page,
            score: item.score,
            text: item.text,
            pages,
            start: first.and_then(|citation| citation.span).map(|span| span.0),
            end: first.and_then(|citation| citation.span).map(|span| span.1),
            rect: first.and_then(|citation| citation.place.rect).map(BoxRecord::of),
        }
    }
}

/// The pages of a place, in order.
fn pages(place: &PrintedPlace) -> Vec<u32> {
    let first = place.page;
    first.map_or_else(Vec::new, |first| (first..=place.last_page.unwrap_or(first).max(first)).collect())
}

impl BoxRecord {
    fn of([x0, y0, x1, y1]: [f64; 4]) -> Self {
        Self { x0, y0, x1, y1 }
    }
}

impl From<Statement> for StatementRecord {
    fn from(Statement { start, end, citations, supported }: Statement) -> Self {
        Self { start, end, citations, supported }
    }
}

impl From<SourceCitation> for CitationRecord {
    fn from(citation: SourceCitation) -> Self {
        let SourceCitation { n, start, end, quote, span, place, supported } = citation;
        Self {
            n,
            statement: SpanRecord { start, end },
            page: place.page,
            pages: pages(&place),
            quote,
            start: span.map(|span| span.0),
            end: span.map(|span| span.1),
            rect: place.rect.map(BoxRecord::of),
            supported,
        }
    }
}
