//! The forms of the output.

use serde_json::json;

use crate::{Desk, lines, told};

const PAGE: &str = "<html><h1>Invoice</h1><p>Total: <b>12.50</b></p><table><tr><th>Goods<th>Sum<tr><td>Tea, green<td>-3<tr><td>=1+1<td>a|b</table><p>between<table><tr><td>x<td>y<tr><td>1<td>2</table></html>";

#[test]
fn markdown_is_what_is_printed_without_a_choice() {
    let desk = Desk::new(&[("a.html", PAGE), ("b.txt", "only text\n")]);
    let printed = desk.printed(&["a.html"]);
    assert!(printed.starts_with("# Invoice\n\nTotal: "), "{printed}");
    assert_eq!(printed, desk.printed(&["--markdown", "a.html"]));
    let both = desk.printed(&["b.txt", "a.html"]);
    assert_eq!(both, format!("==> b.txt <==\n\nonly text\n\n==> a.html <==\n\n{printed}\n"));
}

#[test]
fn json_is_one_document_a_line_and_failures_are_lines_too() {
    let desk = Desk::new(&[("a.html", PAGE), ("bad.pdf", "%PDF-1.4\nrubbish"), ("c.txt", "last")]);
    let output = desk.run(&["--json", "a.html", "bad.pdf", "missing.txt", "c.txt"]);
    assert_eq!(output.status.code(), Some(1));
    let (printed, complaints) = told(&output);
    let lines = lines(&printed);
    let files: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["a.html", "bad.pdf", "missing.txt", "c.txt"]);
    assert_eq!(lines[0]["format"], "html");
    let block = &lines[0]["blocks"][0];
    assert_eq!((&block["kind"], &block["start"], &block["end"]), (&json!("heading"), &json!(2), &json!(9)));
    assert_eq!(lines[1]["error"]["code"], "document_damaged");
    assert_eq!(lines[2]["error"]["code"], "file_unreadable");
    assert_eq!(lines[3]["text"], "last");
    let complaints: Vec<_> = complaints.lines().collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].starts_with("formwork: bad.pdf: the document is damaged"), "{complaints:?}");
    assert!(complaints[1].starts_with("formwork: missing.txt: the file cannot be read"), "{complaints:?}");
}

#[test]
fn tables_are_comma_separated_values_that_no_spreadsheet_takes_for_formulas() {
    let desk = Desk::new(&[("a.html", PAGE), ("none.txt", "no table")]);
    let tables = "Goods,Sum\r\n\"Tea, green\",-3\r\n'=1+1,a|b\r\n\r\nx,y\r\n1,2\r\n";
    assert_eq!(desk.printed(&["--tables", "a.html"]), tables);
    assert_eq!(desk.printed(&["--tables", "none.txt"]), "");
}

#[test]
fn tables_are_json_where_that_is_asked_for() {
    let desk = Desk::new(&[("a.html", PAGE)]);
    let lines = lines(&desk.printed(&["--tables", "--json", "a.html"]));
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["file"], &lines[0]["table"]), (&json!("a.html"), &json!(1)));
    assert_eq!(lines[0]["rows"][2], json!(["=1+1", "a|b"]));
    assert_eq!(lines[1]["cells"][3]["row"], 1);
}

#[test]
fn text_has_no_marks_and_raw_text_leaves_nothing_out() {
    let desk = Desk::new(&[("a.html", PAGE)]);
    assert!(desk.printed(&["--text", "a.html"]).starts_with("Invoice\nTotal: "));
    let page = |number: u32| {
        format!(
            "BT /F 9 Tf 1 0 0 1 72 770 Tm (The quay) Tj 1 0 0 1 72 400 Tm (Text {number} of it) Tj 1 0 0 1 300 20 Tm (Page {number}) Tj ET"
        )
    };
    desk.put("b.pdf", &pdf(&[page(1), page(2), page(3)]));
    let text = desk.printed(&["--text", "b.pdf"]);
    let raw = desk.printed(&["--text", "--raw", "b.pdf"]);
    assert!(!text.contains("Page 2") && text.contains("Text 2 of it"), "{text}");
    assert!(raw.contains("Page 2") && raw.matches("The quay").count() == 3, "{raw}");
}

#[test]
fn choices_that_contradict_each_other_are_refused() {
    let desk = Desk::new(&[("a.txt", "x")]);
    for arguments in [
        ["--json", "--text", "a.txt"].as_slice(),
        &["--markdown", "--tables", "a.txt"],
        &["--raw", "a.txt"],
        &["--overwrite", "a.txt"],
        &[],
    ] {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

/// A PDF of pages with these contents in Helvetica.
fn pdf(contents: &[String]) -> Vec<u8> {
    let kids: String = (0..contents.len()).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 612 792]>>", contents.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (page, content) in contents.iter().enumerate() {
        let number = 5 + 2 * page;
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/Contents {number} 0 R>>"
        ));
        objects.push(format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = String::from("%PDF-1.7\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let size = objects.len() + 1;
    let start = file.len();
    file.push_str(&format!(
        "xref\n0 {size}\n{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    ));
    file.into_bytes()
}

#[test]
fn what_was_left_out_is_told_and_a_table_of_very_many_rows_is_cut_and_not_refused() {
    let rows = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n".repeat(70_000);
    let desk = Desk::new(&[("many.csv", &rows), ("few.csv", "a,b\n")]);
    let output = desk.run(&["many.csv", "few.csv"]);
    let (printed, complaints) = told(&output);
    assert!(output.status.success() && printed.contains("| 1 | 2 | 3 |") && printed.contains("| a | b |"));
    assert_eq!(
        complaints,
        "formwork: many.csv: only a part was read: the file exceeds the limits of a document\n"
    );
}
