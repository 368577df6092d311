//! Invoices as XML: UBL, CII and FatturaPA, written by the business terms of EN 16931.
//!
//! Each syntax is a table of paths (`ubl.rs`, `cii.rs`, `fattura_pa.rs`), whose values are written by `write.rs`.
//! Elements without a term follow in a section of their own.

mod cii;
mod cii_tables;
mod codes;
mod fattura_pa;
mod mapping;
mod path;
mod rest;
mod terms;
mod ubl;
mod write;

use document::{Document, Format};

use crate::Limits;
use crate::builder::Builder;
use crate::encoding::{declared_encoding, decode, normalised, wide_without_mark};
use crate::xml::{Node, tree};
use mapping::Syntax;
use path::Finder;

const SYNTAXES: &[Syntax] = &[ubl::UBL, cii::CII, fattura_pa::FATTURA_PA];

/// Local names of the outermost elements.
const ROOTS: &[&str] =
    &["Invoice", "CreditNote", "CrossIndustryInvoice", "CrossIndustryDocument", "FatturaElettronica"];

/// The document of an invoice; `None` for other XML, and for XML that is damaged or exceeds a limit.
pub(crate) fn parse_invoice(text: &str, limits: &Limits) -> Option<Document> {
    if !ROOTS.iter().any(|root| text.contains(root)) {
        return None;
    }
    let tree = tree(text, limits).ok().filter(|tree| !tree.cut)?;
    let root = tree.root()?;
    let syntax = SYNTAXES.iter().find(|syntax| syntax.roots.contains(&root.name()))?;
    let mut builder = Builder::new(Format::Xml, limits);
    write_invoice(&mut builder, root, syntax, limits);
    Some(builder.finish()).filter(|document| !document.text.is_empty())
}

/// The document of an invoice by its bytes, in the encoding that it declares.
pub(crate) fn parse_invoice_bytes(bytes: &[u8], limits: &Limits) -> Option<Document> {
    let declared = declared_encoding(bytes);
    let text = decode(bytes, wide_without_mark(bytes).or(declared.as_deref()));
    parse_invoice(&normalised(&text), limits)
}

fn write_invoice(builder: &mut Builder, root: Node<'_>, syntax: &Syntax, limits: &Limits) {
    let mut finder = Finder::new(syntax);
    finder.currency = currency(root, syntax);
    for group in syntax.groups {
        write::group(builder, group, root, &mut finder, limits);
    }
    if let Some((path, groups)) = syntax.invoices {
        for invoice in finder.elements(root, path) {
            finder.currency = currency(invoice, syntax);
            for group in groups {
                write::group(builder, group, invoice, &mut finder, limits);
            }
        }
    }
    rest::remaining(builder, root, &finder);
}

/// The currency of the amounts, by a search that counts nothing as found.
fn currency(from: Node<'_>, syntax: &Syntax) -> String {
    let found = Finder::new(syntax).values(from, syntax.currency);
    found.first().map(path::FoundValue::text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::mapping::{Group, Value};
    use super::*;

    fn numbers(groups: &[Group]) -> impl Iterator<Item = (&'static str, Value)> {
        groups.iter().flat_map(|group| group.fields).copied()
    }

    #[test]
    fn invoices_are_known_by_terms_of_the_standard() {
        use crate::same_invoice::{INVOICE_NUMBER, SELLER_IDENTIFIER, SELLER_NAME};
        let names = ["BT-1", "BT-27", "BT-31"].map(|number| terms::term(number).name);
        assert_eq!(names, [INVOICE_NUMBER, SELLER_NAME, SELLER_IDENTIFIER]);
    }

    #[test]
    fn every_field_of_a_mapping_has_a_term() {
        for syntax in SYNTAXES {
            let inner = syntax.invoices.map_or(&[][..], |(_, groups)| groups);
            for (number, _) in numbers(syntax.groups).chain(numbers(inner)) {
                assert_ne!(terms::term(number).name, number, "{:?}", syntax.roots);
            }
        }
    }
}
