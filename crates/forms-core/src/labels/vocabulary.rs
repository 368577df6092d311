//! What concepts of labels say about a value and its field. It knows concepts, not words.

/// Concepts that distinguish values of one kind: a field with one of them needs a label with it.
pub(super) const QUALIFIERS: &[&str] = &[
    "due",
    "birth",
    "start",
    "end",
    "delivery",
    "shipping",
    "order",
    "purchase",
    "payment",
    "hire",
    "print",
    "customer",
    "employer",
    "landlord",
    "tenant",
    "patient",
    "applicant",
    "doctor",
    "emergency",
    "bank",
    "tax",
    "subtotal",
    "net",
    "discount",
    "change",
    "cash",
    "rounding",
    "deposit",
    "rent",
    "salary",
    "fax",
    "account",
    "first",
    "last",
    "registration",
    "price",
    "quantity",
    "insurance",
];

/// Qualifiers of dates that a description can require too.
pub const DATE_QUALIFIERS: &[&str] = &["due", "birth", "start", "end", "delivery", "shipping", "hire"];

/// Qualifiers of the party of an organisation or address, which a description can require too.
pub const PARTY_QUALIFIERS: &[&str] =
    &["customer", "employer", "landlord", "tenant", "patient", "applicant", "delivery", "shipping", "bank"];

/// Concepts for the type of the document; a label may lack them.
pub(super) const DOCUMENT_TYPES: &[&str] =
    &["invoice", "receipt", "issue", "document", "vendor", "company", "number", "name", "amount"];

/// Concepts for the document of a date; its label may lack them.
pub(super) const DATED_DOCUMENTS: &[&str] = &[
    "letter",
    "event",
    "report",
    "meeting",
    "statement",
    "quote",
    "booking",
    "contract",
    "notes",
    "visit",
    "sale",
    "purchase",
    "flight",
    "departure",
    "claim",
    "policy",
];

/// Concepts that match each other, with a lower weight.
pub(super) const SYNONYMS: &[&[&str]] = &[
    &["invoice", "receipt", "document"],
    &["net", "subtotal"],
    &["amount", "total"],
    &["place", "city"],
    &["place", "address"],
    &["rate", "price"],
    &["rate", "percent"],
    &["registration", "plate"],
    &["customer", "guest"],
    &["customer", "shipping"],
    &["delivery", "shipping"],
    &["title", "position"],
];

/// Nouns that need another word to mean something.
pub(super) const NOUNS: &[&str] = &["number", "name", "amount"];

/// Nouns for the kind of a value, and not whose it is.
pub(super) const KINDS: &[&str] =
    &["date", "email", "phone", "address", "number", "name", "amount", "url", "time", "percent", "currency"];
