//! Words beside the sums of a paper, folded.

/// Words at the head of a table that takes the total apart again.
pub(super) const BREAKDOWN: &[&str] =
    &["summary", "analysis", "breakdown", "aufschlusselung", "points", "loyalty"];

/// Words for a total.
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

/// Words for a sum before taxes or charges.
pub(super) const SUBTOTAL: &[&str] =
    &["subtotal", "zwischensumme", "nettobetrag", "subtotaal", "subtotale", "netto", "sub", "ht", "untaxed"];

/// Words that make a total the last one.
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

/// Words for what is to be paid.
pub(super) const PAYABLE: &[&str] =
    &["payable", "due", "zahlen", "zahlbetrag", "payer", "pagar", "betalen", "zahlbar"];

/// Words for sums in general.
pub(super) const AMOUNT: &[&str] = &[
    "amount", "amt", "betrag", "montant", "importe", "importo", "bedrag", "charge", "charges", "sum", "sales",
];

/// Words for sums with tax.
pub(super) const GROSS: &[&str] = &["gross", "brutto", "ttc"];

/// Words for what was given.
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

/// Words for rounding.
pub(super) const ROUNDING: &[&str] =
    &["rounding", "round", "rounded", "rnd", "adj", "adjustment", "rundung", "arrondi", "redondeo"];

/// Words for taxes.
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

/// Words by which a sum has the tax in it.
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

/// Words by which it has not.
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

/// Words of counts and of other sums.
pub(super) const OTHER: &[&str] = &[
    "qty", "quantity", "items", "pcs", "saving", "savings", "saved", "discount", "disc", "rabatt", "points",
    "point", "tip", "deposit", "count", "menge", "anzahl", "weight", "hours", "pages", "remise", "korting",
];
