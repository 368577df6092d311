//! An invoice as XML beside its pages, in one message or archive: the same document in another form.

use document::{Document, Format};
use language::fold::words;

/// Terms by which an invoice is known, as they are written: BT-1, BT-27 and BT-31.
pub(crate) const INVOICE_NUMBER: &str = "Invoice number";
pub(crate) const SELLER_NAME: &str = "Seller name";
pub(crate) const SELLER_IDENTIFIER: &str = "Seller VAT identifier";

/// Characters of a number or an identifier at least: shorter ones are printed by chance. Chosen by hand; no measurement is
/// recorded.
const MIN_CHARS: usize = 3;

/// A document within another, with its characters in it.
#[derive(Debug)]
pub(crate) struct NestedPart {
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: PartKind,
}

/// What matters of a nested document here.
#[derive(Debug)]
pub(crate) enum PartKind {
    Invoice(InvoiceIdentity),
    Pages,
    Other,
}

impl PartKind {
    pub(crate) fn of(document: &Document) -> Self {
        match document.format {
            Format::Pdf => Self::Pages,
            Format::Xml => InvoiceIdentity::of(document).map_or(Self::Other, Self::Invoice),
            _ => Self::Other,
        }
    }
}

/// The number of an invoice and its seller, as folded words without spaces between them.
#[derive(Debug)]
pub(crate) struct InvoiceIdentity {
    number: String,
    /// Name and identifier.
    seller: Vec<String>,
}

impl InvoiceIdentity {
    /// `None` for other XML, and for several invoices in one file.
    fn of(document: &Document) -> Option<Self> {
        let values = |term: &'static str| {
            let prefix = format!("{term}: ");
            document.text.lines().filter_map(move |line| Some(folded(line.strip_prefix(&prefix)?)))
        };
        let is_long = |text: &String| text.chars().nth(MIN_CHARS - 1).is_some();
        let mut numbers = values(INVOICE_NUMBER);
        let (Some(number), None) = (numbers.next(), numbers.next()) else { return None };
        let seller: Vec<String> =
            values(SELLER_NAME).take(1).chain(values(SELLER_IDENTIFIER).take(1)).filter(is_long).collect();
        (is_long(&number) && !seller.is_empty()).then_some(Self { number, seller })
    }

    /// Whether a text states the number and the seller.
    fn is_in(&self, text: &str) -> bool {
        let (mut stated, mut starts, mut ends) = (String::new(), Vec::new(), Vec::new());
        for (_, word) in words(text) {
            starts.push(stated.len());
            stated.push_str(&word);
            ends.push(stated.len());
        }
        let has = |wanted: &String| {
            stated.match_indices(wanted.as_str()).any(|(at, found)| {
                starts.binary_search(&at).is_ok() && ends.binary_search(&(at + found.len())).is_ok()
            })
        };
        has(&self.number) && self.seller.iter().any(has)
    }
}

fn folded(text: &str) -> String {
    words(text).map(|(_, word)| word).collect()
}

/// The invoices that the pages beside them state, too.
pub(crate) fn same_invoices<'p>(parts: &'p [NestedPart], text: &str) -> Vec<&'p NestedPart> {
    let is_invoice = |part: &&NestedPart| matches!(part.kind, PartKind::Invoice(_));
    if !parts.iter().any(|part| is_invoice(&part)) {
        return Vec::new();
    }
    let pages: Vec<String> = parts
        .iter()
        .filter(|part| matches!(part.kind, PartKind::Pages))
        .map(|part| text.chars().skip(part.start).take(part.end - part.start).collect())
        .collect();
    let is_stated = |part: &&NestedPart| match &part.kind {
        PartKind::Invoice(identity) => pages.iter().any(|text| identity.is_in(text)),
        _ => false,
    };
    parts.iter().filter(is_stated).collect()
}
