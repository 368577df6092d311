//! Links, form fields, text boxes and metadata.

use document::{Document, FieldKind, FormField};

use crate::writer::{Page, pdf, pdf_with};
use crate::{read, spans_hold};

fn document(page: Page) -> Document {
    let document = read(&pdf(&[page])).unwrap();
    spans_hold(&document);
    document
}

#[test]
fn a_link_covers_the_words_under_it() {
    let page = Page::new()
        .text(60.0, 100.0, 10.0, "See the tide tables of the year")
        .annotation([78.0, 90.0, 142.0, 104.0], "/Subtype/Link/A<</S/URI/URI(https://example.org/tides)>>");
    let document = document(page);
    assert_eq!(document.links.len(), 1);
    let link = &document.links[0];
    let text: String = document.text.chars().skip(link.start).take(link.end - link.start).collect();
    assert_eq!((text.as_str(), link.url.as_str()), ("the tide tables", "https://example.org/tides"));
}

#[test]
fn a_link_within_an_item_is_told_beside_the_mark() {
    let page = Page::new()
        .text(60.0, 100.0, 10.0, "\u{95} tables")
        .annotation([66.0, 90.0, 200.0, 104.0], "/Subtype/Link/A<</S/URI/URI(https://example.org/)>>");
    let document = document(page);
    let link = &document.links[0];
    assert_eq!((document.text.as_str(), link.start, link.end), ("- tables", 2, 8));
}

fn field<'d>(document: &'d Document, name: &str) -> &'d FormField {
    document.fields.iter().find(|field| field.name == name).unwrap()
}

#[test]
fn fields_are_told_with_their_values_and_boxes() {
    let page = Page::new()
        .text(60.0, 100.0, 10.0, "Name")
        .annotation(
            [120.0, 88.0, 300.0, 104.0],
            "/Subtype/Widget/FT/Tx/T(name)/TU(Your name)/V(Ada Hopper)/Parent<</T(owner)>>",
        )
        .annotation([60.0, 120.0, 70.0, 130.0], "/Subtype/Widget/FT/Btn/T(insured)/V/Yes/AS/Yes")
        .annotation([60.0, 140.0, 70.0, 150.0], "/Subtype/Widget/FT/Btn/T(rented)/AS/Off")
        .annotation([60.0, 160.0, 70.0, 170.0], "/Subtype/Widget/FT/Btn/Ff 65536/T(send)")
        .annotation([60.0, 180.0, 70.0, 190.0], "/Subtype/Widget/FT/Btn/Ff 32768/T(berth)/V/North/AS/Off")
        .annotation([80.0, 180.0, 90.0, 190.0], "/Subtype/Widget/FT/Btn/Ff 32768/T(berth)/V/North/AS/North")
        .annotation(
            [60.0, 200.0, 200.0, 214.0],
            "/Subtype/Widget/FT/Ch/T(kind)/V(s)/Opt[[(r)(Rowing boat)][(s)(Sailing boat)]]",
        )
        .annotation([60.0, 220.0, 200.0, 240.0], "/Subtype/Widget/FT/Sig/T(signature)");
    let document = document(page);
    let name = field(&document, "owner.name");
    assert_eq!(
        (name.kind, name.value.as_deref(), name.label.as_deref()),
        (FieldKind::Text, Some("Ada Hopper"), Some("Your name"))
    );
    let rect = name.rect.unwrap();
    assert_eq!((name.page, rect.x0, rect.y0, rect.x1, rect.y1), (Some(1), 120.0, 88.0, 300.0, 104.0));
    let told = |name: &str| (field(&document, name).kind, field(&document, name).value.as_deref());
    assert_eq!(told("insured"), (FieldKind::Checkbox, Some("true")));
    assert_eq!(told("rented"), (FieldKind::Checkbox, Some("false")));
    assert_eq!(told("berth"), (FieldKind::Choice, Some("North")));
    assert_eq!(told("kind"), (FieldKind::Choice, Some("Sailing boat")));
    assert_eq!(told("signature"), (FieldKind::Signature, None));
    assert_eq!(document.fields.len(), 6);
    assert!(
        document.text.contains("Name  Ada Hopper") && document.text.contains("Sailing boat"),
        "{}",
        document.text
    );
}

#[test]
fn text_boxes_without_a_drawing_are_read_and_hidden_ones_are_not() {
    let page = Page::new()
        .text(60.0, 100.0, 10.0, "Draft of the rules")
        .annotation([60.0, 200.0, 300.0, 220.0], "/Subtype/FreeText/Contents(Ask the pilot first)")
        .annotation([60.0, 300.0, 300.0, 320.0], "/Subtype/FreeText/F 2/Contents(Not to be seen)");
    let text = document(page).text;
    assert!(text.contains("Ask the pilot first") && !text.contains("Not to be seen"), "{text}");
}

#[test]
fn fields_that_are_their_own_parents_end() {
    let mut page = Page::new().text(60.0, 100.0, 10.0, "Round and round");
    for _ in 0..100 {
        page = page.annotation([60.0, 200.0, 80.0, 220.0], "/Subtype/Widget/FT/Tx/T(a)/Parent 1 0 R");
    }
    assert_eq!(document(page).fields.len(), 1);
}

#[test]
fn metadata_has_dates_pages_and_language() {
    let file = pdf_with(
        &[Page::new().text(60.0, 100.0, 10.0, "Rules"), Page::new().text(60.0, 100.0, 10.0, "More")],
        "/Lang(de-CH)",
        "/Title(Rules of the quay)/CreationDate(D:20240309141500+01'00')/ModDate(D:20240310080000Z)",
    );
    let metadata = read(&file).unwrap().metadata;
    assert_eq!(metadata.title.as_deref(), Some("Rules of the quay"));
    assert_eq!(metadata.created.as_deref(), Some("2024-03-09T14:15:00+01:00"));
    assert_eq!(metadata.modified.as_deref(), Some("2024-03-10T08:00:00Z"));
    assert_eq!((metadata.page_count, metadata.language.as_deref()), (Some(2), Some("de-CH")));
}

#[test]
fn a_link_over_a_cell_of_a_table_is_the_cells() {
    let rows = [("Lamps", "Hansen", "120"), ("Ropes", "Olsen", "85"), ("Pots", "Berg", "19")];
    let page = (0..3).zip(rows).fold(Page::new(), |page, (row, (what, who, count))| {
        let y = 100.0 + 20.0 * f64::from(row);
        page.text(60.0, y, 10.0, what).text(160.0, y, 10.0, who).text(260.0, y, 10.0, count)
    });
    let page = [88.0, 108.0, 128.0, 148.0]
        .iter()
        .fold(page, |page, y| page.raw(&format!("50 {0} m 300 {0} l S", crate::writer::HEIGHT - y)));
    let page = [50.0, 150.0, 250.0, 300.0].iter().fold(page, |page, x| {
        let (top, bottom) = (crate::writer::HEIGHT - 88.0, crate::writer::HEIGHT - 148.0);
        page.raw(&format!("{x} {top} m {x} {bottom} l S"))
    });
    let page = page
        .annotation([158.0, 110.0, 200.0, 124.0], "/Subtype/Link/A<</S/URI/URI(https://example.org/olsen)>>");
    let document = document(page);
    assert!(document.text.contains("| Ropes | Olsen | 85 |"), "{}", document.text);
    assert_eq!(document.links.len(), 1);
    let link = &document.links[0];
    let text: String = document.text.chars().skip(link.start).take(link.end - link.start).collect();
    assert_eq!((text.as_str(), link.url.as_str()), ("Olsen", "https://example.org/olsen"));
}
