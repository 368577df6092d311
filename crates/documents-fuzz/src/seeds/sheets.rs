//! Workbooks in archives.

use super::texts_archive;

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

pub(crate) fn xlsb() -> Vec<Vec<u8>> {
    vec![document_samples::xlsb::book()]
}
