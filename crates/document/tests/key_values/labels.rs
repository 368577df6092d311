//! Single cases.

use document::KeyValueKind;

use crate::writer::{Page, pdf};
use crate::{pairs_of, told};

fn text(text: &str) -> Vec<(String, String)> {
    told(text.as_bytes(), "a.txt")
}

fn page(page: Page) -> Vec<(String, String)> {
    told(&pdf(&[page]), "a.pdf")
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_label_with_a_colon_has_what_follows_on_its_line() {
    let pairs = text("Vessel: Morning Star\nIMO No.: 9074729\nTotal:12.50\nE-mail: ada@harbour.example");
    let expected = [
        ("Vessel", "Morning Star"),
        ("IMO No.", "9074729"),
        ("Total", "12.50"),
        ("E-mail", "ada@harbour.example"),
    ];
    assert_eq!(pairs, owned(&expected));
}

#[test]
fn several_pairs_share_a_line() {
    assert_eq!(
        text("Invoice No: 123 Date: 2026-03-01"),
        owned(&[("Invoice No", "123"), ("Date", "2026-03-01")])
    );
    assert_eq!(
        text("Port: Hull   Berth: 4   Invoice Date: 1 March"),
        owned(&[("Port", "Hull"), ("Berth", "4"), ("Invoice Date", "1 March")])
    );
}

#[test]
fn prose_times_ratios_and_addresses_are_no_pairs() {
    for line in [
        "Note: please send the form back before the end of the month.",
        "They left at 12:30 and came back at 17:45.",
        "The scale is 1:50 on all sheets.",
        "See https://harbour.example/forms for more.",
        "https://harbour.example:8080/forms",
        "She said one thing to everybody who came down to the quay that day: nobody goes out in this weather.",
        "C:\\forms\\catch.txt",
        "std::fmt",
    ] {
        assert_eq!(text(line), [], "{line}");
    }
}

#[test]
fn a_gap_parts_a_label_from_its_value() {
    let form = Page::new()
        .text(72.0, 100.0, 10.0, "Net amount")
        .text(300.0, 100.0, 10.0, "412.00")
        .text(72.0, 114.0, 10.0, "Skipper")
        .text(300.0, 114.0, 10.0, "Ada Marsh")
        .text(72.0, 128.0, 10.0, "Home port")
        .text(300.0, 128.0, 10.0, "Hull");
    let pairs = page(form);
    assert_eq!(pairs, owned(&[("Net amount", "412.00"), ("Skipper", "Ada Marsh"), ("Home port", "Hull")]));
}

#[test]
fn values_stand_below_the_labels_of_a_form_s_boxes() {
    let form = Page::new()
        .text(72.0, 100.0, 7.0, "Date of landing")
        .text(250.0, 100.0, 7.0, "Licence")
        .text(420.0, 100.0, 7.0, "Weight")
        .text(72.0, 112.0, 10.0, "2026-03-14")
        .text(250.0, 112.0, 10.0, "H-4471")
        .text(420.0, 112.0, 10.0, "412 kg");
    let pairs = page(form);
    assert_eq!(
        pairs,
        owned(&[("Date of landing", "2026-03-14"), ("Licence", "H-4471"), ("Weight", "412 kg")])
    );
}

#[test]
fn a_value_goes_on_in_the_lines_below_it() {
    let form = Page::new()
        .text(72.0, 100.0, 10.0, "Address:")
        .lines(180.0, 100.0, 10.0, &["Harbour Works", "4 Quay Street", "Hull"])
        .text(72.0, 150.0, 10.0, "Berth:")
        .text(180.0, 150.0, 10.0, "4");
    let pairs = pairs_of(&pdf(&[form]), "a.pdf");
    assert_eq!(pairs[0].value, "Harbour Works\n4 Quay Street\nHull");
    assert_eq!((pairs[1].key.as_str(), pairs[1].value.as_str()), ("Berth", "4"));
    let around = pairs[0].rect.unwrap();
    assert!((around.x0 - 180.0).abs() < 1.0 && around.y0 < 100.0 && around.y1 > 122.0, "{around:?}");
    assert!(around.x1 < 300.0, "the label is not part of it: {around:?}");
}

#[test]
fn two_columns_of_a_table_are_pairs_and_tables_of_records_are_none() {
    let list = "| Field | Value |\n| --- | --- |\n| Vessel | Morning Star |\n| Port | Hull |\n";
    assert_eq!(told(list.as_bytes(), "a.md"), owned(&[("Vessel", "Morning Star"), ("Port", "Hull")]));
    let records = "| Fish | Kilos | Boats |\n| --- | --- | --- |\n| Cod | 412 | 3 |\n| Ling | 88 | 1 |\n";
    assert_eq!(told(records.as_bytes(), "a.md"), []);
}

#[test]
fn boxes_to_tick_are_pairs_and_those_behind_a_label_are_one() {
    assert_eq!(text("\u{2611} Ice on board"), owned(&[("Ice on board", "true")]));
    assert_eq!(text("[x] Cooled  [ ] Frozen"), owned(&[("Cooled", "true"), ("Frozen", "false")]));
    assert_eq!(text("Gear: \u{2610} nets \u{2612} lines \u{2612} traps"), owned(&[("Gear", "lines, traps")]));
}

#[test]
fn fields_come_first_under_what_is_printed_beside_them() {
    let field = |name: &str, value: &str| format!("/Subtype/Widget/FT/Tx/T({name})/V({value})");
    let form = Page::new()
        .text(72.0, 100.0, 10.0, "Port: Hull")
        .text(72.0, 130.0, 10.0, "Name of vessel:")
        .annotation([180.0, 120.0, 400.0, 134.0], &field("f1", "Morning Star"))
        .text(72.0, 160.0, 8.0, "Registration")
        .annotation([72.0, 164.0, 250.0, 180.0], &field("f2", ""))
        .annotation([300.0, 600.0, 400.0, 620.0], &field("remarks", "none"));
    let pairs = pairs_of(&pdf(&[form]), "a.pdf");
    let found: Vec<(&str, &str, KeyValueKind)> =
        pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_str(), pair.kind)).collect();
    let field = KeyValueKind::Field;
    assert_eq!(
        found,
        [
            ("Name of vessel", "Morning Star", field),
            ("Registration", "", field),
            ("remarks", "none", field),
            ("Port", "Hull", KeyValueKind::Label)
        ]
    );
    assert_eq!(pairs[0].rect.map(|rect| (rect.x0, rect.y0)), Some((180.0, 120.0)));
}

#[test]
fn odd_texts_are_read_to_their_end() {
    for odd in [
        ":",
        "::::",
        ": x",
        "a:",
        "\u{ff1a}\u{ff1a}",
        "a\u{ff1a}b",
        "[x]",
        "\u{2611}\u{2611}",
        "....................",
        "x: ____",
        "\t\t:\t",
        &"Key: ".repeat(5_000),
        &"[ ] x ".repeat(5_000),
        &"a  ".repeat(5_000),
        &"\u{1F600}: \u{1F600}\u{301}  ".repeat(500),
    ] {
        let found = told(odd.as_bytes(), "a.txt");
        assert!(found.iter().all(|(key, _)| !key.is_empty()), "{odd:.40}");
    }
}

#[test]
fn what_is_filled_into_a_field_labels_no_other() {
    let field = |kind: &str, name: &str, value: &str| format!("/Subtype/Widget/FT/{kind}/T({name})/V{value}");
    let form = Page::new()
        .text(50.0, 100.0, 10.0, "Name")
        .text(182.0, 100.0, 10.0, "Marta Olsen")
        .annotation([180.0, 88.0, 380.0, 106.0], &field("Tx", "f1", "(Marta Olsen)"))
        .text(50.0, 128.0, 10.0, "Employee no.")
        .text(182.0, 128.0, 10.0, "48213")
        .annotation([180.0, 116.0, 380.0, 134.0], &field("Tx", "f2", "(48213)"))
        .text(50.0, 156.0, 10.0, "Receipts attached")
        .annotation([180.0, 146.0, 194.0, 160.0], &field("Btn", "f3", "/Yes/AS/Yes"));
    let pairs = pairs_of(&pdf(&[form]), "a.pdf");
    let found: Vec<(&str, &str)> =
        pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect();
    assert_eq!(found, [("Name", "Marta Olsen"), ("Employee no.", "48213"), ("Receipts attached", "true")]);
}

#[test]
fn a_rate_is_part_of_a_label() {
    let sums = Page::new()
        .text(72.0, 100.0, 10.0, "Subtotal")
        .text(300.0, 100.0, 10.0, "764.40")
        .text(72.0, 114.0, 10.0, "VAT 20%")
        .text(300.0, 114.0, 10.0, "152.88")
        .text(72.0, 128.0, 10.0, "Discount (2.5 %)")
        .text(300.0, 128.0, 10.0, "19.11");
    assert_eq!(
        page(sums),
        owned(&[("Subtotal", "764.40"), ("VAT 20%", "152.88"), ("Discount (2.5 %)", "19.11")])
    );
}

#[test]
fn particulars_beside_an_address_are_pairs_and_records_are_none() {
    let head = "| Kestrel Supplies | Invoice number | KM-187 |\n| --- | --- | --- |\n\
        | 7 Tidal Way | Due date | 03/06/2026 |\n|  | Customer ref | PO 77 |\n";
    let expected = [("Invoice number", "KM-187"), ("Due date", "03/06/2026"), ("Customer ref", "PO 77")];
    assert_eq!(told(head.as_bytes(), "a.md"), owned(&expected));
    let records = "| Country | Capital | People |\n| --- | --- | --- |\n| Norway | Oslo | 5 m |\n| Peru | Lima | 34 m |\n";
    assert_eq!(told(records.as_bytes(), "a.md"), []);
}

#[test]
fn definitions_of_a_page_are_pairs() {
    let page = "<html><dl><dt>Colour</dt><dd>black</dd><dt>Price:</dt><dd>12.00</dd></dl>";
    assert_eq!(told(page.as_bytes(), "a.html"), owned(&[("Colour", "black"), ("Price", "12.00")]));
}

#[test]
fn the_first_row_of_a_list_is_a_pair_though_word_marks_it_as_a_head() {
    let list = |rows: &[[&str; 2]]| {
        let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
        let rows: String =
            rows.iter().map(|row| format!("<w:tr>{}{}</w:tr>", cell(row[0]), cell(row[1]))).collect();
        let document = format!(
            "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body><w:tbl>\
             <w:tblPr><w:tblLook w:val='04A0' w:firstRow='1'/></w:tblPr>{rows}</w:tbl></w:body></w:document>"
        );
        let types = "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Override \
             PartName='/word/document.xml' ContentType='application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'/></Types>";
        let files: [(&str, &[u8]); 2] =
            [("[Content_Types].xml", types.as_bytes()), ("word/document.xml", document.as_bytes())];
        told(&document_samples::archive(&files, true), "a.docx")
    };
    assert_eq!(
        list(&[["Inspector", "Ole Berg"], ["Site", "Quay 4"], ["Result", "Passed"]]),
        owned(&[("Inspector", "Ole Berg"), ("Site", "Quay 4"), ("Result", "Passed")])
    );
    assert_eq!(list(&[["Field", "Value"], ["Site", "Quay 4"]]), owned(&[("Site", "Quay 4")]));
    assert_eq!(list(&[["Fish", "Kilos"], ["Cod", "412"]]), owned(&[("Cod", "412")]));
}
