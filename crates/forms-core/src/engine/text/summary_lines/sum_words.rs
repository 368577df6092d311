//! Words of summary lines in several languages, folded.

/// Words for sums; a line with one among its first words is a summary.
pub(super) const SUMS: &[&str] = &[
    "total",
    "totals",
    "subtotal",
    "totale",
    "subtotale",
    "totaal",
    "subtotaal",
    "totalt",
    "summe",
    "zwischensumme",
    "gesamtsumme",
    "gesamtbetrag",
    "rechnungsbetrag",
    "ubertrag",
    "u\u{308}bertrag",
    "razem",
    "celkem",
];

/// The same for taxes.
pub(super) const TAXES: &[&str] = &["vat", "gst", "sst", "mwst", "ust", "tva", "btw"];

/// Words for sums that count only as the first word of a line.
pub(super) const FIRST_SUMS: &[&str] =
    &["sub", "sum", "grand", "carried", "brought", "gesamt", "endbetrag", "sous", "somme"];

/// The same for taxes.
pub(super) const FIRST_TAXES: &[&str] = &["tax", "taxes", "umsatzsteuer", "mehrwertsteuer", "iva"];

/// The same for other words of summary lines and page footers.
pub(super) const FIRST_OTHERS: &[&str] = &[
    "net", "netto", "nett", "gross", "brutto", "balance", "amount", "rounding", "page", "seite", "saldo",
    "importe", "montant", "bill",
];

/// Words that may accompany the words above in a pure label.
pub(super) const FILLERS: &[&str] = &[
    "forward",
    "of",
    "due",
    "to",
    "pay",
    "payable",
    "and",
    "the",
    "incl",
    "including",
    "excl",
    "excluding",
    "without",
    "inkl",
    "exkl",
    "zzgl",
    "ohne",
    "mit",
    "und",
    "der",
    "sans",
    "avec",
    "ht",
    "ttc",
    "eur",
    "usd",
    "gbp",
    "chf",
    "inr",
    "rm",
];
