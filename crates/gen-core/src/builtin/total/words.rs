//! Words beside the amounts of a document, folded.

/// Words in the head of a table that breaks down the total.
pub(super) const BREAKDOWN: &[&str] =
    &["summary", "analysis", "breakdown", "aufschlusselung", "points", "loyalty"];

pub(super) const TOTAL: &[&str] = &[
    "total",
    "totals",
    "ttl",
    "tl",
    "tot",
    "gesamt",
    "gesamtbetrag",
    "gesamtsumme",
    "summe",
    "endbetrag",
    "rechnungsbetrag",
    "totale",
    "totaal",
    "totaalbedrag",
    "bruttobetrag",
    "importe",
    "razem",
    "suma",
    "totalt",
    "celkem",
];

/// Words for an amount before taxes or charges.
pub(super) const SUBTOTAL: &[&str] =
    &["subtotal", "zwischensumme", "nettobetrag", "subtotaal", "subtotale", "netto", "sub", "ht", "untaxed"];

/// Words that make a total the final one.
pub(super) const GRAND: &[&str] = &[
    "grand",
    "rounded",
    "final",
    "overall",
    "nett",
    "net",
    "after",
    "general",
    "gesamtbetrag",
    "rechnungsbetrag",
    "endbetrag",
    "ttc",
];

/// Words for the amount to pay.
pub(super) const PAYABLE: &[&str] =
    &["payable", "due", "zahlen", "zahlbetrag", "payer", "pagar", "betalen", "zahlbar"];

/// Words for amounts in general.
pub(super) const AMOUNT: &[&str] = &[
    "amount", "amt", "betrag", "montant", "importe", "importo", "bedrag", "charge", "charges", "sum", "sales",
];

/// Words for amounts with tax.
pub(super) const GROSS: &[&str] = &["gross", "brutto", "ttc"];

/// Words for amounts paid.
pub(super) const PAID: &[&str] = &[
    "cash",
    "paid",
    "payment",
    "pay",
    "tender",
    "tendered",
    "visa",
    "master",
    "mastercard",
    "card",
    "credit",
    "debit",
    "received",
    "bar",
    "gegeben",
    "amex",
    "nets",
    "especes",
    "efectivo",
    "pagado",
];

pub(super) const ROUNDING: &[&str] =
    &["rounding", "round", "rounded", "rnd", "adj", "adjustment", "rundung", "arrondi", "redondeo"];

pub(super) const TAX: &[&str] = &[
    "tax",
    "gst",
    "vat",
    "sst",
    "mwst",
    "ust",
    "iva",
    "tva",
    "btw",
    "umsatzsteuer",
    "mehrwertsteuer",
    "steuer",
    "taxes",
    "hst",
];

/// Words for an amount that includes tax.
pub(super) const INCLUSIVE: &[&str] = &[
    "incl",
    "inclusive",
    "inc",
    "including",
    "includes",
    "with",
    "included",
    "inkl",
    "inklusive",
    "ttc",
    "incluido",
    "compris",
    "after",
];

/// Words for an amount that excludes tax.
pub(super) const EXCLUSIVE: &[&str] = &[
    "excl",
    "exclusive",
    "exc",
    "excluding",
    "excludes",
    "before",
    "without",
    "exkl",
    "ex",
    "hors",
    "zzgl",
    "ohne",
];

/// Words for counts and other amounts.
pub(super) const OTHER: &[&str] = &[
    "qty", "quantity", "items", "pcs", "saving", "savings", "saved", "discount", "disc", "rabatt", "points",
    "point", "tip", "deposit", "count", "menge", "anzahl", "weight", "hours", "pages", "remise", "korting",
];
