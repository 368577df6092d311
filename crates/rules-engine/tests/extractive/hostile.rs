//! Input that wants to hurt.

use serde_json::{Value, json};

use crate::{ask, date, text, typed};

fn form() -> Value {
    json!({
        "company": text("Company"), "address": text(""), "date": date(), "total": typed("number"), "iban": text(""),
        "email": text(""), "phone": text(""), "vat_id": text(""), "currency": text(""), "accepted": typed("boolean"),
        "kind": {"type": "string", "enum": ["a", "bb", "ß"]}, "notes": text("Notes"), "a/b~c": text("Odd name"), "": text(""),
        "rows": {"type": "array", "items": {"type": "object", "properties": {"name": text(""), "price": typed("number")}}}
    })
}

fn survives(text: &str) {
    let answer = ask(&[text], &form());
    let record: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(record.as_object().unwrap().len(), 15);
    let count = text.chars().count();
    assert!(
        answer.citations.iter().all(|citation| citation.start <= citation.end && citation.end <= count),
        "{text:?}"
    );
}

#[test]
fn odd_characters_at_every_edge_do_no_harm() {
    let odd = [
        "ß",
        "İ",
        "ﬃ",
        "𝟙𝟚/𝟛𝟜/𝟝𝟞",
        "e\u{301}",
        "\u{202e}",
        "\u{0}",
        "日本",
        "٣٤٥",
        "１２/０３/２０１８",
        "½",
        "☑",
        "|",
        ":",
        "：",
        "$",
        "€",
        "(",
        ")",
        "#",
        "\"",
        "\u{a0}",
        "\r",
        "\t",
        ".",
        "..",
        "…",
        "-",
        "1",
        "12/03/2018",
        "9.99",
        "@",
        "a@b.cd",
        "www.",
        "GmbH",
        "Total",
        "Company:",
        "Street 1",
        "12345",
    ];
    for first in odd {
        for second in odd {
            survives(&format!("{first}{second}"));
            survives(&format!(
                "Company: {first} Total {second}\n{second}{first}\n| {first} | {second} |\n| a | b |"
            ));
            survives(&format!("Address:  {first}  {second}\n{first} {second}  Total: {first}9.00{second}"));
        }
    }
}

#[test]
fn long_lines_deep_schemas_and_empty_texts_do_no_harm() {
    survives("");
    survives("\n\n \n");
    survives(&"9".repeat(100_000));
    survives(&"Total 1.00 ".repeat(20_000));
    survives(&"|".repeat(50_000));
    survives(&"( ".repeat(50_000));
    survives(&"a@".repeat(50_000));
    survives(&"Company: ".repeat(20_000));
    survives(&"ä\u{308}".repeat(50_000));
    let mut schema = typed("string");
    for _ in 0..200 {
        schema = json!({"type": "object", "properties": {"x": schema}});
    }
    let answer = ask(&["x: 1"], &json!({ "x": schema }));
    assert!(serde_json::from_str::<Value>(&answer.text).is_ok());
}

#[test]
fn long_texts_of_one_kind_of_line_do_no_harm() {
    let long = |line: &str| line.repeat(300_000 / line.len());
    for line in [
        "ab 12\n",
        "Total Amount Date Invoice Number Customer ",
        "Invoice Number: x\n",
        "Description  Quantity  Price  Amount\n",
        "| oak board | 4 | 12.50 | 50.00 |\n",
        "Oak board with very long words 4 12.50 50.00\n",
        "12/03/2018 to 13/03/2018 ",
        "DE89 3704 0044 0532 0130 00 ",
        "# Customer\n",
        "12 Main Street, London\n",
        "(the \"",
        "rechnungsnummernverzeichnisdatum",
    ] {
        survives(&long(line));
    }
    survives(&format!("| Description | Price |\n|---|---|\n{}", long("| oak | 1.00 |\n")));
}
