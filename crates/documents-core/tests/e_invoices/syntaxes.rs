//! Each syntax is written by the business terms.

use document::Format;
use document_samples::invoices::{CII, FATTURA_PA, UBL};

use crate::{assert_lines, headings, read, tables};

#[test]
fn ubl_is_written_by_business_terms() {
    let document = read(UBL.as_bytes(), "invoice.xml");
    assert_eq!(document.format, Format::Xml);
    assert_lines(
        &document,
        &[
            "Invoice number: HL-2031",
            "Invoice issue date: 2025-03-07",
            "Payment due date: 2025-04-06",
            "Invoice type code: 380 (Commercial invoice)",
            "Invoice note: Thank you for the order",
            "Purchase order reference: PO-55",
            "Seller name: Harbour Light Chandlers GmbH",
            "Seller trading name: Harbour Light",
            "Seller VAT identifier: DE123456788",
            "Seller tax registration identifier: 75/123",
            "Seller postal address: Quay 4, 28195 Bremen, DE",
            "Buyer name: Northsea Ferries AG",
            "Payment means type code: 58 (SEPA credit transfer)",
            "Payment account identifier: DE89370400440532013000",
            "Payment terms: 30 days net",
            "Invoice total amount without VAT (net amount): 130.00 EUR",
            "Invoice total VAT amount: 23.00 EUR",
            "Invoice total VAT amount in accounting currency: 270.50 NOK",
            "Invoice total amount with VAT (gross amount): 153.00 EUR",
            "Paid amount: 50.00 EUR",
            "Amount due for payment: 103.00 EUR",
            "InvoiceLine 2 / Item / CommodityClassification / ItemClassificationCode: 8513",
        ],
    );
    let sections = ["Invoice", "Seller", "Buyer", "References and notes", "Payment", "Invoice lines"];
    assert_eq!(headings(&document)[..6], sections);
    let tables = tables(&document);
    assert_eq!(
        tables[0],
        [
            vec![
                "Invoice line identifier",
                "Item name",
                "Invoiced quantity",
                "Invoiced quantity unit of measure",
                "Unit price",
                "Invoiced item VAT category code",
                "Invoiced item VAT rate",
                "Invoice line net amount"
            ],
            vec!["1", "Mooring rope", "12.00", "MTR (metre)", "2.50", "S (Standard rate)", "10 %", "30.00"],
            vec!["2", "Deck lamp", "4", "H87 (piece)", "25.00", "S (Standard rate)", "20 %", "100.00"],
        ]
    );
    assert_eq!(
        tables[1][1..],
        [
            vec!["S (Standard rate)", "10 %", "30.00", "3.00"],
            vec!["S (Standard rate)", "20 %", "100.00", "20.00"],
        ]
    );
}

#[test]
fn what_no_term_is_mapped_to_is_not_lost_and_nothing_is_written_twice() {
    let document = read(UBL.as_bytes(), "invoice.xml");
    let (_, rest) = document.text.split_once("## Other elements").unwrap();
    let lines: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["InvoiceLine 2 / Item / CommodityClassification / ItemClassificationCode: 8513"]);
}

#[test]
fn credit_notes_of_ubl_have_names_of_their_own() {
    let note = UBL
        .replace("ubl:Invoice", "ubl:CreditNote")
        .replace("xsd:Invoice-2", "xsd:CreditNote-2")
        .replace("InvoicedQuantity", "CreditedQuantity")
        .replace("a:InvoiceLine", "a:CreditNoteLine")
        .replace("b:InvoiceTypeCode>380<", "b:CreditNoteTypeCode>381<")
        .replace("/b:InvoiceTypeCode", "/b:CreditNoteTypeCode");
    let document = read(note.as_bytes(), "note.xml");
    assert_lines(&document, &["Invoice number: HL-2031", "Invoice type code: 381 (Credit note)"]);
    assert_eq!(tables(&document)[0][1][1..3], ["Mooring rope", "12.00"]);
}

#[test]
fn a_cross_industry_invoice_is_written_by_business_terms() {
    let document = read(CII.as_bytes(), "invoice.xml");
    assert_lines(
        &document,
        &[
            "Invoice number: HL-2031",
            "Invoice issue date: 2025-03-07",
            "Payment due date: 2025-04-06",
            "Seller name: Harbour Light Chandlers GmbH",
            "Seller VAT identifier: DE123456788",
            "Seller postal address: Quay 4, 28195 Bremen, DE",
            "Buyer name: Northsea Ferries AG",
            "Payment account identifier: DE89370400440532013000",
            "Invoice total VAT amount: 23.00 EUR",
            "Invoice total amount with VAT (gross amount): 153.00 EUR",
        ],
    );
    let tables = tables(&document);
    assert_eq!(
        tables[0][1],
        ["1", "Mooring rope", "12", "MTR (metre)", "2.50", "S (Standard rate)", "10 %", "30.00"]
    );
    assert_eq!(tables[1][1], ["S (Standard rate)", "20 %", "100.00", "20.00"]);
    assert!(!document.text.contains("Other elements"), "{}", document.text);
}

#[test]
fn names_of_zugferd_1_are_those_of_later_versions() {
    let old = CII
        .replace(
            "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
            "urn:ferd:CrossIndustryDocument:invoice:1p0",
        )
        .replace("InformationEntity:100", "InformationEntity:12")
        .replace("CrossIndustryInvoice", "CrossIndustryDocument")
        .replace("x:ExchangedDocument", "x:HeaderExchangedDocument")
        .replace("x:SupplyChain", "x:SpecifiedSupplyChain")
        .replace("ApplicableHeaderTrade", "ApplicableSupplyChainTrade")
        .replace("SettlementHeaderMonetary", "SettlementMonetary")
        .replace("SettlementLineMonetary", "SettlementMonetary")
        .replace("SpecifiedLineTrade", "SpecifiedSupplyChainTrade")
        .replace("RateApplicablePercent", "ApplicablePercent");
    let (old, new) = (read(old.as_bytes(), "a.xml"), read(CII.as_bytes(), "a.xml"));
    assert_eq!(old.text, new.text);
}

#[test]
fn fattura_pa_is_written_by_business_terms() {
    let document = read(FATTURA_PA.as_bytes(), "IT01234567897_0001.xml");
    assert_lines(
        &document,
        &[
            "Invoice number: 2031/A",
            "Invoice issue date: 2025-03-07",
            "Invoice type code: TD01 (Invoice)",
            "Seller name: Ada Ferri",
            "Seller VAT identifier: IT01234567897",
            "Seller postal address: Via del Porto 4, 30121 Venezia, VE, IT",
            "Buyer name: Traghetti Nord S.p.A.",
            "Payment terms: TP02 (Full payment)",
            "Payment account identifier: IT60X0542811101000000123456",
            "Invoice total amount with VAT (gross amount): 153.00 EUR",
            "FatturaElettronicaHeader / DatiTrasmissione / ProgressivoInvio: 0001",
        ],
    );
    assert_eq!(tables(&document)[0][2], ["2", "Lampada", "4.00", "25.00", "20.00 %", "100.00"]);
}

#[test]
fn each_invoice_of_a_file_with_several_is_written() {
    let (head, body) = FATTURA_PA.split_once("<FatturaElettronicaBody>").unwrap();
    let (body, tail) = body.split_once("</FatturaElettronicaBody>").unwrap();
    let second = body.replace("2031/A", "2032/A").replace("<Divisa>EUR", "<Divisa>CHF");
    let all = format!(
        "{head}<FatturaElettronicaBody>{body}</FatturaElettronicaBody>\
         <FatturaElettronicaBody>{second}</FatturaElettronicaBody>{tail}"
    );
    let document = read(all.as_bytes(), "a.xml");
    assert_lines(
        &document,
        &["Invoice number: 2031/A", "Invoice number: 2032/A", "Amount due for payment: 153.00 CHF"],
    );
}

#[test]
fn other_xml_and_damaged_invoices_are_read_as_text() {
    let other = read(b"<?xml version='1.0'?><Invoice><ID>7</ID></Invoice>", "a.xml");
    assert_eq!(other.text, "- Invoice:\n  - ID: 7");
    let damaged = read(&UBL.as_bytes()[..UBL.len() / 2], "a.xml");
    assert!(damaged.text.contains("<b:ID>HL-2031</b:ID>"), "{}", damaged.text);
}

#[test]
fn entities_that_a_document_declares_are_not_expanded() {
    let declared = UBL.replace(
        "<ubl:Invoice ",
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b SYSTEM 'file:///etc/passwd'>]><ubl:Invoice ",
    );
    let document = read(declared.replace("HL-2031", "HL&a;&b;&#45;7").as_bytes(), "a.xml");
    assert_lines(&document, &["Invoice number: HL-7"]);
}

#[test]
fn the_declared_encoding_is_that_of_the_text() {
    let latin = UBL.replace("UTF-8", "ISO-8859-1").replace("Northsea", "Nordsee \u{dc}ber");
    let bytes: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert_lines(&read(&bytes, "a.xml"), &["Buyer name: Nordsee \u{dc}ber Ferries AG"]);
}
