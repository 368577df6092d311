//! Workbooks.

use super::{archive, compound, long, numbers, texts_archive, utf16};

const PACKAGE: &str = "<Relationships><Relationship Id='r1' Type='http://x/officeDocument' Target='xl/workbook.xml'/></Relationships>";

pub(crate) fn xlsx() -> Vec<Vec<u8>> {
    let first = "<worksheet><dimension ref='A1:D9'/><cols><col min='3' max='3' hidden='1'/></cols><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>Sum</t></is></c><c r='D1' t='b'><v>1</v></c></row><row r='2'><c r='A2' t='s'><v>1</v></c><c r='B2' s='1'><v>45943.5</v></c><c r='C2' t='e'><v>#N/A</v></c></row><row r='4' hidden='1'><c r='A4'><v>9</v></c></row><row r='9'><c r='D9' t='str'><f>A1&amp;B1</f><v>text</v></c><c s='2'><v>0.125</v></c></row></sheetData><mergeCells><mergeCell ref='A1:A2'/><mergeCell ref='B9:C9'/></mergeCells><hyperlinks><hyperlink ref='A1' r:id='h'/></hyperlinks></worksheet>";
    let second = "<worksheet><sheetData><row><c><v>7</v></c><c/><c><v>8</v></c></row><row><c t='inlineStr'><is><r><t>ri</t></r><r><t>ch</t></r></is></c></row></sheetData></worksheet>";
    vec![texts_archive(&[
        (
            "[Content_Types].xml",
            "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
        ),
        ("_rels/.rels", PACKAGE),
        (
            "xl/workbook.xml",
            "<?xml version='1.0'?><workbook xmlns:r='r'><workbookPr date1904='0'/><sheets><sheet name='First' sheetId='1' r:id='rId1'/><sheet name='Second' sheetId='2' state='hidden' r:id='rId2'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id='rId1' Type='http://x/worksheet' Target='worksheets/s1.xml'/><Relationship Id='rId2' Type='http://x/worksheet' Target='/xl/worksheets/s2.xml'/></Relationships>",
        ),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Name</t></si><si><r><t>Ad</t></r><r><t>a &amp; co</t></r><rPh><t>x</t></rPh></si></sst>",
        ),
        (
            "xl/styles.xml",
            "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd hh:mm'/><numFmt numFmtId='165' formatCode='[Red]0.0%;&quot;x&quot;'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/><xf numFmtId='165'/></cellXfs></styleSheet>",
        ),
        ("xl/worksheets/s1.xml", first),
        (
            "xl/worksheets/_rels/s1.xml.rels",
            "<Relationships><Relationship Id='h' Type='http://x/hyperlink' Target='https://example.org/' TargetMode='External'/></Relationships>",
        ),
        ("xl/worksheets/s2.xml", second),
    ])]
}

pub(crate) fn ods() -> Vec<Vec<u8>> {
    let content = "<office:document-content><office:spreadsheet><table:table table:name='T'><table:table-column table:number-columns-repeated='3'/><table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>Tea<text:s text:c='2'/>&amp; milk</text:p></table:table-cell><table:covered-table-cell/><table:table-cell office:value='0.125'><text:p>12.5 %</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated='2'><table:table-cell office:value-type='date' office:date-value='2024-02-03T00:00:00'><text:p>3 Feb</text:p></table:table-cell><table:table-cell table:number-columns-repeated='3'><office:annotation><text:p>a remark</text:p></office:annotation><text:p>x</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated='1048000'><table:table-cell table:number-columns-repeated='16384'/></table:table-row></table:table><table:table table:name='U'><table:table-row><table:table-cell table:number-rows-spanned='2'><text:p>u</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:document-content>";
    vec![texts_archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content),
        (
            "meta.xml",
            "<office:document-meta><office:meta><dc:title>Sheet</dc:title></office:meta></office:document-meta>",
        ),
    ])]
}

/// A record of XLSB.
fn short(kind: u8, data: &[u8]) -> Vec<u8> {
    let (low, high) = (kind & 0x7f, kind >> 7);
    let head = if high == 0 { vec![low] } else { vec![low | 0x80, high] };
    [head, vec![data.len().to_le_bytes()[0]], data.to_vec()].concat()
}

fn string(text: &str) -> Vec<u8> {
    [long(text.encode_utf16().count()).to_vec(), utf16(text)].concat()
}

pub(crate) fn xlsb() -> Vec<Vec<u8>> {
    let cell = |kind: u8, column: u32, format: u32, value: &[u8]| {
        short(kind, &[numbers(&[column, format]), value.to_vec()].concat())
    };
    let sheet = short(156, &[numbers(&[0, 1]), string("rId1"), string("Binary")].concat());
    let styles = [
        vec![0xe9, 4, 0],
        short(47, &[0; 16]),
        short(47, &[[0, 0, 14, 0].as_slice(), &[0; 12]].concat()),
        vec![0xea, 4, 0],
    ];
    let rows = [
        short(0, &numbers(&[0])),
        cell(7, 0, 0, &numbers(&[0])),
        cell(6, 1, 0, &string("inline")),
        cell(5, 2, 1, &45_943.0_f64.to_le_bytes()),
        short(0, &numbers(&[4])),
        cell(2, 0, 0, &numbers(&[5 << 2 | 2])),
        cell(4, 1, 0, &[0]),
        cell(11, 2, 0, &[0x2a]),
        short(176, &numbers(&[0, 4, 0, 1])),
    ];
    let strings = short(19, &[vec![0], string("shared \u{e9}")].concat());
    let relations = "<Relationships><Relationship Id='rId1' Type='http://x/worksheet' Target='worksheets/s.bin'/></Relationships>";
    vec![archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.bin", &sheet),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/sharedStrings.bin", &strings),
        ("xl/styles.bin", &styles.concat()),
        ("xl/worksheets/s.bin", &rows.concat()),
    ])]
}

/// A record of XLS.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap_or_default();
    [kind.to_le_bytes().as_slice(), &length.to_le_bytes(), data].concat()
}

fn at(row: u16, column: u16, format: u16) -> Vec<u8> {
    [row, column, format].iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(crate) fn xls() -> Vec<Vec<u8>> {
    let of = |kind: u16, place: Vec<u8>, value: &[u8]| record(kind, &[place, value.to_vec()].concat());
    let body = [
        of(0x00fd, at(0, 0, 0), &numbers(&[0])),
        of(0x00fd, at(0, 1, 0), &numbers(&[1])),
        of(0x0203, at(0, 2, 1), &45_943.0_f64.to_le_bytes()),
        of(0x027e, at(0, 3, 0), &numbers(&[123 << 2 | 3])),
        of(0x0205, at(1, 0, 0), &[1, 0]),
        of(0x0205, at(1, 1, 0), &[7, 1]),
        of(0x0006, at(1, 2, 0), &[0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]),
        record(0x0207, &[vec![3, 0, 0], b"sum".to_vec()].concat()),
        record(0x00bd, &[2, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 10, 0, 0, 0, 1, 0]),
        record(0x00e5, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0]),
    ]
    .concat();
    let strings =
        [vec![2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0], b"Name".to_vec(), vec![2, 0, 1], utf16("\u{3b1}\u{3b2}")];
    let globals = [
        record(0x00e0, &[0; 20]),
        record(0x00e0, &[[0, 0, 14, 0].as_slice(), &[0; 16]].concat()),
        record(0x00fc, &strings.concat()),
    ]
    .concat();
    let begin = record(0x0809, &[0, 6, 5, 0]);
    let place = begin.len() + globals.len() + 4 + 8 + 4 + 4;
    let list = record(0x0085, &[long(place).to_vec(), vec![0, 0, 4, 0], b"Data".to_vec()].concat());
    let end = record(0x000a, &[]);
    let stream = [begin.clone(), globals, list, end.clone(), begin, body, end].concat();
    vec![compound(vec![("Workbook", stream)])]
}
