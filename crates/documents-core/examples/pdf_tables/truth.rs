//! The ground truth of a set: ICDAR 2013 structure files beside their PDFs.

use std::path::Path;

use crate::relations::{Cell, Table};

/// The true tables of a document. When the set has two versions for one PDF (`009a`, `009b`), both.
pub(crate) fn readings(pdf: &Path) -> Vec<Vec<Table>> {
    let stem = pdf.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = pdf.parent().expect("a folder");
    let other = stem.strip_suffix('a').map(|base| format!("{base}b"));
    let read_one = |name: String| {
        let text = std::fs::read(folder.join(format!("{name}-str.xml"))).ok()?;
        let mut tables = Vec::new();
        read(&String::from_utf8_lossy(&text), &mut tables);
        Some(tables)
    };
    [Some(stem), other].into_iter().flatten().filter_map(read_one).collect()
}

/// Serializes tables as a structure file.
pub(crate) fn xml(tables: &[Table]) -> String {
    let mut xml = String::from("<document>\n");
    for table in tables {
        xml.push_str(&format!("<table><region page=\"{}\">\n", table.page));
        for cell in &table.cells {
            let ((row, end_row), (column, end_column)) = (cell.rows, cell.columns);
            xml.push_str(&format!(
                "<cell start-row=\"{row}\" end-row=\"{end_row}\" start-col=\"{column}\" end-col=\"{end_column}\">\
                 <content>{}</content></cell>\n",
                cell.text
            ));
        }
        xml.push_str("</region></table>\n");
    }
    xml + "</document>\n"
}

/// Parses a structure file. The files are flat enough to be read tag by tag.
fn read(xml: &str, tables: &mut Vec<Table>) {
    for region in xml.split("<region").skip(1) {
        let body = region.split("</region").next().unwrap_or_default();
        let page = attribute(body, "page").unwrap_or(1) as u32;
        let mut table = Table { page, cells: Vec::new() };
        for cell in body.split("<cell").skip(1) {
            let (row, column) =
                (attribute(cell, "start-row").unwrap_or(0), attribute(cell, "start-col").unwrap_or(0));
            let content = cell.split("<content>").nth(1).and_then(|rest| rest.split("</content").next());
            table.cells.push(Cell {
                rows: (row, attribute(cell, "end-row").unwrap_or(row).max(row)),
                columns: (column, attribute(cell, "end-col").unwrap_or(column).max(column)),
                text: unescape(content.unwrap_or_default()),
            });
        }
        tables.push(table);
    }
}

fn attribute(tag: &str, name: &str) -> Option<usize> {
    let head = tag.split('>').next()?;
    let rest = head.split(&format!("{name}=")).nth(1)?;
    let digits: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn unescape(text: &str) -> String {
    let text = text.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
    ["&lt;", "<", "&gt;", ">", "&quot;", "\"", "&apos;", "'", "&amp;", "&"]
        .chunks(2)
        .fold(text.to_owned(), |text, pair| text.replace(pair[0], pair[1]))
}
