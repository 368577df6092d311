//! The basis of answers in JSON: passages, statements and their citations.

use gen_core::{ContextItem, PrintedPlace, SourceCitation, Statement};
use schemars::JsonSchema;
use serde::Serialize;

/// A passage of an answer's context.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextRecord {
    /// Number that citations in the text use.
    n: usize,
    /// The knowledge base of the passage; null for documents of `urls`.
    knowledge_id: Option<String>,
    /// Id of the item or file.
    id: String,
    /// Its title.
    title: String,
    /// The page of the first sentence that the answer cites. For a passage without citations, the page of its
    /// best match.
    page: Option<u32>,
    /// Relevance to the prompt, 0 to 1, on one scale for all sources: the share of the prompt's words that
    /// the passage has, weighted by their rarity, or the score of its knowledge base where vectors rank it
    /// higher.
    score: f64,
    /// Its text.
    text: String,
    /// The pages of the cited sentences; absent where unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<u32>,
    /// Offset of the first cited sentence in the text of the document, in Unicode characters; absent where
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    /// Offset after its last character.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    /// Its rectangle on `page`; absent where unknown.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<BoxRecord>,
}

/// A statement: a sentence of an answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct StatementRecord {
    /// Offset of the first character in `text`, in Unicode characters.
    start: usize,
    /// Offset after the last character, its citations included.
    end: usize,
    /// Numbers of the cited passages.
    citations: Vec<usize>,
    /// Whether a cited passage supports the statement: it has enough of its words and all its numbers and
    /// names. A statement without citations is checked against those of the next cited statement in its
    /// paragraph.
    supported: bool,
}

/// A citation of an answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct CitationRecord {
    /// Number of the passage in `context`.
    n: usize,
    /// The span of the citing statement.
    statement: SpanRecord,
    /// The page on which the quote begins; null where there are no pages.
    page: Option<u32>,
    /// All pages of the quote.
    pages: Vec<u32>,
    /// The sentence of the passage that shares most with the statement; empty where none shares anything.
    quote: String,
    /// Offset of the quote in the text of the document; null where unknown.
    start: Option<u64>,
    /// Offset after its last character.
    end: Option<u64>,
    /// Rectangle of the quote on `page`; null where unknown.
    #[serde(rename = "box")]
    rect: Option<BoxRecord>,
    /// Whether the passage supports the statement.
    supported: bool,
}

/// A span of a text, in Unicode characters.
#[derive(Serialize, JsonSchema)]
struct SpanRecord {
    /// Offset of the first character.
    start: usize,
    /// Offset after the last one.
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
    /// The passages of an answer, each with the place of its citations.
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
