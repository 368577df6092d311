//! Workbooks in XML.

use document::{Format, ParseError};
use documents_core::{Limits, parse};

use crate::support::{cells, headings, read, survives_damage, try_read, zip};

const TYPES: &[u8] = b"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>";
const RELS: &str = "<Relationships><Relationship Id='r1' Type='http://x/officeDocument' Target='xl/workbook.xml'/></Relationships>";

/// A workbook of sheets (name, attributes, rows and what follows them), shared strings and styles.
fn workbook(sheets: &[(&str, &str, &str)], strings: &str, styles: &str) -> Vec<u8> {
    let list: String = (1..)
        .zip(sheets)
        .map(|(id, (name, state, _))| format!("<sheet name='{name}' sheetId='{id}' {state} r:id='rId{id}'/>"))
        .collect();
    let relations: String = (1..=sheets.len())
        .map(|id| {
            format!("<Relationship Id='rId{id}' Type='http://x/worksheet' Target='worksheets/s{id}.xml'/>")
        })
        .collect();
    let main = format!("<?xml version='1.0'?><workbook xmlns:r='r'><sheets>{list}</sheets></workbook>");
    let relations = format!("<Relationships>{relations}</Relationships>");
    let parts: Vec<(String, String)> = (1..)
        .zip(sheets)
        .map(|(id, (_, _, body))| {
            (format!("xl/worksheets/s{id}.xml"), format!("<worksheet>{body}</worksheet>"))
        })
        .collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", RELS.as_bytes()),
        ("xl/workbook.xml", main.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/sharedStrings.xml", strings.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
    ];
    files.extend(parts.iter().map(|(name, body)| (name.as_str(), body.as_bytes())));
    zip(&files)
}

fn one(body: &str) -> Vec<u8> {
    workbook(&[("One", "", body)], "<sst/>", "<styleSheet/>")
}

fn texts(bytes: &[u8]) -> Vec<(u32, u32, String)> {
    cells(&read(bytes, "x.xlsx")).into_iter().map(|(row, column, text, _)| (row, column, text)).collect()
}

#[test]
fn a_workbook_becomes_a_heading_and_a_table_for_each_sheet() {
    let strings =
        "<sst><si><t>Name</t></si><si><r><t>Ad</t></r><r><t>a &amp; co</t></r><rPh><t>x</t></rPh></si></sst>";
    let bytes = workbook(
        &[
            (
                "First",
                "",
                "<sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>Sum</t></is></c></row><row r='2'><c r='A2' t='s'><v>1</v></c><c r='B2'><v>2.0</v></c></row></sheetData>",
            ),
            ("Second", "state='hidden'", "<sheetData><row><c><v>7</v></c></row></sheetData>"),
            ("Third", "state='veryHidden'", "<sheetData><row><c><v>8</v></c></row></sheetData>"),
        ],
        strings,
        "<styleSheet/>",
    );
    let document = read(&bytes, "book");
    assert_eq!(document.format, Format::Xlsx);
    assert_eq!(
        document.text,
        "## First\n\n| Name | Sum |\n| --- | --- |\n| Ada & co | 2 |\n\n## Second\n\n| 7 |\n| --- |"
    );
    assert_eq!(
        (headings(&document), document.metadata.page_count),
        (vec!["First".into(), "Second".into()], Some(2))
    );
}

#[test]
fn values_are_shown_by_their_kind_and_format() {
    let styles = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm'/></numFmts><cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='46'/></cellXfs></styleSheet>";
    let body = "<sheetData><row><c><v>0.30000000000000004</v></c><c s='1'><v>45943</v></c><c s='2'><v>45943.5</v></c><c s='3'><v>1.5</v></c><c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c><c t='str'><f>A1</f><v>made_x000D_up</v></c><c t='d'><v>2024-01-02</v></c></row></sheetData>";
    let found = texts(&workbook(&[("S", "", body)], "<sst/>", styles));
    let found: Vec<&str> = found.iter().map(|(_, _, text)| text.as_str()).collect();
    assert_eq!(
        found,
        ["0.3", "2025-10-13", "2025-10-13 12:00:00", "36:00:00", "TRUE", "#N/A", "made up", "2024-01-02"]
    );
}

#[test]
fn empty_rows_and_columns_are_left_out_and_merged_cells_span() {
    let body = "<sheetData><row r='3'><c r='C3'><v>1</v></c></row><row r='5'><c r='E5'><v>2</v></c><c r='F5'/></row></sheetData><mergeCells><mergeCell ref='C3:E5'/></mergeCells>";
    let document = read(&one(body), "x.xlsx");
    // The region ends before the other value that lies in it.
    assert_eq!(cells(&document), [(0, 0, "1".into(), (1, 2)), (1, 1, "2".into(), (1, 1))]);
    let body = body.replace("C3:E5", "C3:D5");
    assert_eq!(cells(&read(&one(&body), "x.xlsx"))[0].3, (2, 1));
}

#[test]
fn a_merged_region_that_ends_before_it_begins_spans_nothing() {
    let body = "<sheetData><row r='2'><c r='B2'><v>1</v></c></row><row r='3'><c r='C3'><v>2</v></c></row></sheetData><mergeCells><mergeCell ref='C3:A1'/></mergeCells>";
    assert_eq!(cells(&read(&one(body), "x.xlsx"))[1], (1, 1, "2".into(), (1, 1)));
}

#[test]
fn a_sheet_that_claims_to_be_huge_costs_nothing() {
    let body = "<dimension ref='A1:XFD1048576'/><sheetData><row r='1'><c r='A1'><v>1</v></c></row><row r='1048576'><c r='XFD1048576'><v>2</v></c></row></sheetData>";
    assert_eq!(texts(&one(body)), [(0, 0, "1".into()), (1, 1, "2".into())]);
}

#[test]
fn values_far_apart_become_lines_instead_of_an_empty_table() {
    let cell = |index: u32| {
        format!(
            "<row r='{row}'><c r='{letters}{row}'><v>{index}</v></c></row>",
            row = index + 1,
            letters = letters(index)
        )
    };
    let body: String = (0..700).map(cell).collect();
    let document = read(&one(&format!("<sheetData>{body}</sheetData>")), "x.xlsx");
    assert!(cells(&document).is_empty());
    assert!(document.text.ends_with("\n\n699") && document.text.len() < 5_000, "{}", document.text.len());
}

fn letters(column: u32) -> String {
    let mut number = column + 1;
    let mut letters = String::new();
    while number > 0 {
        letters.insert(0, char::from(b'A' + u8::try_from((number - 1) % 26).unwrap()));
        number = (number - 1) / 26;
    }
    letters
}

#[test]
fn counts_that_lie_reserve_nothing() {
    let body = "<sheetData><row r='4294967295'><c t='s'><v>0</v></c><c t='s'><v>99999999999999999999</v></c></row></sheetData>";
    let strings = "<sst count='99999999999' uniqueCount='18446744073709551615'><si><t>here</t></si></sst>";
    let bytes = workbook(&[("S", "", body)], strings, "<styleSheet/>");
    assert_eq!(texts(&bytes), [(0, 0, "here".into())]);
}

#[test]
fn shared_strings_that_are_repeated_stop_at_the_limit_of_the_text() {
    let strings = format!("<sst><si><t>{}</t></si></sst>", "bomb ".repeat(20_000));
    let rows: String = (0..1_000).map(|_| "<row><c t='s'><v>0</v></c></row>").collect();
    let body = format!("<sheetData>{rows}</sheetData>");
    let document = read(&workbook(&[("S", "", &body)], &strings, "<styleSheet/>"), "x.xlsx");
    assert!(document.metadata.truncated && document.text.len() <= Limits::default().text_bytes);
}

#[test]
fn a_bomb_in_a_sheet_is_refused() {
    let body = format!("<sheetData>{}</sheetData>", " ".repeat(40 << 20));
    assert!(matches!(try_read(&one(&body), "x.xlsx"), Err(ParseError::Limit(_))));
}

#[test]
fn entities_of_a_document_type_are_not_expanded() {
    let strings = "<?xml version='1.0'?><!DOCTYPE sst [<!ENTITY a 'bomb'><!ENTITY b SYSTEM 'file:///etc/hostname'>]><sst><si><t>&a;&b;</t></si></sst>";
    let body = "<sheetData><row><c t='s'><v>0</v></c></row></sheetData>";
    assert_eq!(texts(&workbook(&[("S", "", body)], strings, "<s/>")), [(0, 0, "&a;&b;".into())]);
}

#[test]
fn cells_beyond_the_limit_are_cut_and_marked() {
    let rows: String = (0..100).map(|_| "<row><c><v>1</v></c><c><v>2</v></c></row>").collect();
    let limits = Limits { cells: 50, ..Limits::default() };
    let document = parse(&one(&format!("<sheetData>{rows}</sheetData>")), "x", &limits).unwrap();
    assert!(document.metadata.truncated && cells(&document).len() <= 50);
}

#[test]
fn parts_that_are_missing_or_broken_leave_the_rest_readable() {
    let body = "<sheetData><row><c><v>1</v></c></row><row><c><v>2</v></c></row><row><c <v>";
    let document = read(&one(body), "x.xlsx");
    assert_eq!(cells(&document).len(), 2, "{}", document.text);
    assert!(document.metadata.truncated);
    let elsewhere = RELS.replace("xl/workbook.xml", "xl/nowhere.xml");
    let bytes = zip(&[
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", elsewhere.as_bytes()),
        ("xl/workbook.xml", b"<workbook/>"),
    ]);
    assert!(matches!(try_read(&bytes, "x.xlsx"), Err(ParseError::Damaged(_))));
}

#[test]
fn sheets_whose_list_is_lost_are_found_by_their_parts() {
    let sheet =
        |value: u8| format!("<worksheet><sheetData><row><c><v>{value}</v></c></row></sheetData></worksheet>");
    let bytes = zip(&[
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", RELS.as_bytes()),
        ("xl/workbook.xml", b"<workbook><shee"),
        ("xl/worksheets/sheet10.xml", sheet(10).as_bytes()),
        ("xl/worksheets/sheet9.xml", sheet(9).as_bytes()),
    ]);
    assert_eq!(headings(&read(&bytes, "x.xlsx")), ["sheet9", "sheet10"]);
}

#[test]
fn a_workbook_of_another_writer_is_read() {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet().set_name("Prices").unwrap();
    sheet.write(0, 0, "Item").unwrap();
    sheet.write(0, 1, "Price").unwrap();
    sheet.write(1, 0, "Tea").unwrap();
    sheet.write(1, 1, 2.5).unwrap();
    let document = read(&book.save_to_buffer().unwrap(), "prices");
    assert_eq!(document.text, "## Prices\n\n| Item | Price |\n| --- | --- |\n| Tea | 2.5 |");
}

#[test]
fn damage_never_panics() {
    let body = "<sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' s='1'><v>1</v></c></row></sheetData><mergeCells><mergeCell ref='A1:B2'/></mergeCells>";
    survives_damage(&workbook(&[("S", "", body)], "<sst><si><t>a</t></si></sst>", "<s/>"), "x.xlsx", 7);
}
