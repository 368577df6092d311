//! Code lists of EN 16931 and of FatturaPA, as far as they are common. Sources: UNTDID 1001, 2475, 4461 and 5305,
//! UN/ECE Recommendation 20, and the technical specification of FatturaPA 1.2 (`TD`, `MP`, `TP`, `N`).

/// Codes with their meanings.
pub(super) type CodeList = &'static [(&'static str, &'static str)];

/// The meaning of a code, else of the code before its last dot: `N2.1` is a kind of `N2`.
pub(super) fn meaning(list: CodeList, code: &str) -> Option<&'static str> {
    let known = |code: &str| list.iter().find(|(known, _)| *known == code).map(|(_, meaning)| *meaning);
    known(code).or_else(|| known(code.rsplit_once('.')?.0))
}

pub(super) const INVOICE_TYPES: CodeList = &[
    ("325", "Proforma invoice"),
    ("326", "Partial invoice"),
    ("380", "Commercial invoice"),
    ("381", "Credit note"),
    ("383", "Debit note"),
    ("384", "Corrected invoice"),
    ("386", "Prepayment invoice"),
    ("389", "Self-billed invoice"),
    ("751", "Invoice information for accounting purposes"),
    ("875", "Partial construction invoice"),
    ("876", "Partial final construction invoice"),
    ("877", "Final construction invoice"),
    ("TD01", "Invoice"),
    ("TD02", "Advance payment on invoice"),
    ("TD03", "Advance payment on fee"),
    ("TD04", "Credit note"),
    ("TD05", "Debit note"),
    ("TD06", "Fee"),
    ("TD24", "Deferred invoice"),
    ("TD25", "Deferred invoice"),
];

pub(super) const PAYMENT_MEANS: CodeList = &[
    ("10", "In cash"),
    ("20", "Cheque"),
    ("30", "Credit transfer"),
    ("31", "Debit transfer"),
    ("42", "Payment to bank account"),
    ("48", "Bank card"),
    ("49", "Direct debit"),
    ("54", "Credit card"),
    ("55", "Debit card"),
    ("57", "Standing agreement"),
    ("58", "SEPA credit transfer"),
    ("59", "SEPA direct debit"),
    ("97", "Clearing between partners"),
    ("MP01", "Cash"),
    ("MP02", "Cheque"),
    ("MP05", "Bank transfer"),
    ("MP08", "Payment card"),
    ("MP12", "Bank receipt"),
    ("MP19", "SEPA direct debit"),
    ("MP23", "PagoPA"),
];

/// Of FatturaPA; EN 16931 has a text.
pub(super) const PAYMENT_CONDITIONS: CodeList =
    &[("TP01", "Payment in instalments"), ("TP02", "Full payment"), ("TP03", "Advance payment")];

pub(super) const VAT_CATEGORIES: CodeList = &[
    ("S", "Standard rate"),
    ("Z", "Zero rated goods"),
    ("E", "Exempt from tax"),
    ("AE", "VAT reverse charge"),
    ("K", "VAT exempt for EEA intra-community supply"),
    ("G", "Free export item, tax not charged"),
    ("O", "Services outside scope of tax"),
    ("L", "Canary Islands general indirect tax"),
    ("M", "Tax of Ceuta and Melilla"),
    ("N1", "Excluded"),
    ("N2", "Not subject"),
    ("N3", "Not taxable"),
    ("N4", "Exempt"),
    ("N5", "Margin scheme"),
    ("N6", "Reverse charge"),
    ("N7", "VAT paid in another EU country"),
];

/// UNTDID 2475 in CII, and 2005 in UBL.
pub(super) const VAT_POINT_CODES: CodeList = &[
    ("5", "Date of invoice"),
    ("29", "Date of delivery"),
    ("72", "Date of payment"),
    ("3", "Date of invoice"),
    ("35", "Date of delivery"),
    ("432", "Date of payment"),
];

pub(super) const UNITS: CodeList = &[
    ("C62", "one"),
    ("H87", "piece"),
    ("EA", "each"),
    ("XPP", "piece"),
    ("NAR", "number of articles"),
    ("SET", "set"),
    ("LS", "lump sum"),
    ("MIN", "minute"),
    ("HUR", "hour"),
    ("DAY", "day"),
    ("WEE", "week"),
    ("MON", "month"),
    ("ANN", "year"),
    ("GRM", "gram"),
    ("KGM", "kilogram"),
    ("TNE", "tonne"),
    ("LTR", "litre"),
    ("MTR", "metre"),
    ("KMT", "kilometre"),
    ("MTK", "square metre"),
    ("MTQ", "cubic metre"),
    ("KWH", "kilowatt hour"),
    ("XBX", "box"),
    ("XPK", "package"),
    ("P1", "percent"),
];
