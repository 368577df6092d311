//! Long documents and long lists: nothing lost, nothing twice, in order, with few calls.

use std::fmt::Write as _;
use std::sync::Arc;

use document::Document;
use documents_core::Limits;
use forms_core::{
    ExtractError, ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoopAnswerStore,
};
use futures_executor::block_on;
use gen_core::{ChatModel, ChatRequest, GenService, Provider};
use serde_json::{Value, json};

use crate::common::{check, document, form, payer, says};
use crate::reader::{Answers, Manner, Reader, row, shown};

fn deliveries() -> FormSchema {
    form(&json!({
        "vendor": {"type": "string"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "date": {"type": "date"}, "what": {"type": "string"}, "count": {"type": "integer"},
            "price": {"type": "number"}, "sum": {"type": "number"}}}}
    }))
}

fn thousands(cents: usize) -> String {
    let (whole, fraction) = (cents / 100, cents % 100);
    let digits = whole.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped}.{fraction:02}")
}

/// One row of a delivery; every tenth is the same as the one before it.
fn cells(number: usize) -> [String; 5] {
    let n = if number % 10 == 9 { number - 1 } else { number };
    let things = ["Bolt M8", "Steel sheet, blank", "Washer 10 mm", "Angle bracket", "Hinge (left)", "Paint"];
    let (count, cents) = (n * 7 % 90 + 1, n * 7_919 % 250_000 + 5);
    [
        format!("{:02}.{:02}.2024", n / 60 % 28 + 1, n / 400 + 1),
        things[n % things.len()].to_owned(),
        count.to_string(),
        thousands(cents),
        thousands(cents * count),
    ]
}

/// Pages as a PDF gives them: lines, with a head and a foot on each page.
fn pages(rows: usize, each: usize) -> String {
    let mut text = String::from("Sold by Northern Iron Ltd\nStatement of deliveries\n");
    for page in 0..rows.div_ceil(each) {
        let _ = writeln!(
            text,
            "Northern Iron Ltd, statement of 2024, page {} of {}",
            page + 1,
            rows.div_ceil(each)
        );
        text.push_str("Date Article Pieces Price Sum\n");
        for number in page * each..rows.min((page + 1) * each) {
            text.push_str(&cells(number).join(" "));
            text.push('\n');
        }
        let _ = writeln!(text, "Carried forward {}\n", thousands(page * 123_456 + 99));
    }
    text
}

fn table(rows: usize) -> GroupDocument {
    let mut text = String::from(
        "# Deliveries\n\n| Date | Article | Pieces | Price | Sum |\n| --- | --- | --- | --- | --- |\n",
    );
    for number in 0..rows {
        let _ = writeln!(text, "| {} |", cells(number).join(" | "));
    }
    let document = documents_core::parse(text.as_bytes(), "a.md", &Limits::default()).unwrap();
    GroupDocument { name: "a.md".into(), description: None, document: Arc::new(document), host: None }
}

fn truth(rows: usize) -> Vec<Value> {
    let read = |number| {
        let mut row = row(&cells(number).join(" ")).unwrap();
        let date = row["date"].as_str().unwrap();
        row["date"] = json!(format!("{}-{}-{}", &date[6..], &date[3..5], &date[..2]));
        row
    };
    (0..rows).map(read).collect()
}

fn ask<M: ChatModel>(
    model: &Arc<M>,
    schema: &FormSchema,
    documents: &[GroupDocument],
) -> Result<Extraction, ExtractError> {
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    let id = "gpt-6-luna@openai".parse().unwrap();
    let request = ExtractRequest {
        payer: &payer(),
        schema,
        instructions: "",
        model: &id,
        documents,
        answers: &NoopAnswerStore,
    };
    let extraction = block_on(ExtractionEngine::new(generation).extract(request))?;
    check(&extraction, documents);
    Ok(extraction)
}

/// Recall of the rows in their order, and how many more there are than that.
fn score(extraction: &Extraction, expected: &[Value]) -> (f64, usize) {
    let rows = extraction.record["rows"].as_array().cloned().unwrap_or_default();
    let same = |a: &Value, b: &Value| {
        ["date", "what"].iter().all(|name| a[*name] == b[*name])
            && ["count", "price", "sum"].iter().all(|name| a[*name].as_f64() == b[*name].as_f64())
    };
    // Both are in order, so the longest common subsequence is found by walking on, but for rows lost.
    let (mut at, mut found) = (0, 0);
    for row in &rows {
        if let Some(ahead) = expected[at..].iter().take(60).position(|wanted| same(wanted, row)) {
            at += ahead + 1;
            found += 1;
        }
    }
    (found as f64 / expected.len() as f64, rows.len() - found)
}

#[test]
fn every_row_of_sixty_pages_is_found_whatever_the_model_leaves_out() {
    let text = pages(1_500, 25);
    let documents = [document("statement.pdf", &text)];
    let expected = truth(1_500);
    for (manner, most_calls) in [
        (Manner::Whole, 6),
        (Manner::Most(200), 14),
        (Manner::Skips(12), 24),
        (Manner::Cut(6_000), 36),
        (Manner::Blind(3), 12),
    ] {
        let model = Arc::new(Reader::new(manner));
        let extraction = ask(&model, &deliveries(), &documents).unwrap();
        let (recall, extra) = score(&extraction, &expected);
        let calls = model.asked().len();
        println!("{manner:?}: recall {recall:.4}, {extra} too many, {calls} calls");
        assert!(recall >= 0.99 && extra == 0, "{manner:?}: {recall}, {extra} too many");
        assert!(calls <= most_calls, "{manner:?}: {calls} calls");
        assert_eq!(
            (extraction.record["vendor"].clone(), extraction.errors.len()),
            (json!("Northern Iron Ltd"), 0)
        );
    }
}

#[test]
fn every_row_of_a_long_markdown_table_is_found_too() {
    let documents = [table(1_500)];
    let expected = truth(1_500);
    for manner in [Manner::Whole, Manner::Most(50), Manner::Skips(10), Manner::Cut(3_000)] {
        let model = Arc::new(Reader::new(manner));
        let extraction = ask(&model, &deliveries(), &documents).unwrap();
        let (recall, extra) = score(&extraction, &expected);
        println!("{manner:?}: recall {recall:.4}, {extra} too many, {} calls", model.asked().len());
        assert!(recall >= 0.99 && extra == 0, "{manner:?}: {recall}, {extra} too many");
        assert!(
            model.asked().iter().skip(1).all(|asked| shown(asked).contains("| Article |")),
            "the head is shown"
        );
    }
}

#[test]
fn an_ordinary_invoice_needs_one_call() {
    let mut text = String::from("Sold by Northern Iron Ltd\nInvoice 17\nDate Article Pieces Price Sum\n");
    (0..5).for_each(|number| {
        let _ = writeln!(text, "{}", cells(number).join(" "));
    });
    text.push_str("Subtotal 1,234.00\nVAT 19 % 234.46\nTotal 1,468.46\n\nTerms of business\n");
    for clause in 1..60 {
        let _ = writeln!(
            text,
            "{clause}. Goods stay the seller's until paid. Payment is due within {clause} days of 1 May 2024; \
             from then on {clause}.5 % interest is owed.\nSee section {clause} of {}.",
            clause + 1
        );
    }
    let model = Arc::new(Reader::new(Manner::Whole));
    let extraction = ask(&model, &deliveries(), &[document("invoice.pdf", &text)]).unwrap();
    assert_eq!((extraction.record["rows"].as_array().unwrap().len(), model.asked().len()), (5, 1));
}

#[test]
fn bounds_hold_for_hostile_documents_and_answers() {
    let line = cells(3).join(" ");
    let long_line = format!("{} ", cells(4).join(" ")).repeat(2_000_000 / 40);
    for (text, manner) in [
        (long_line, Manner::Whole),
        ("\n".repeat(100_000), Manner::Whole),
        (format!("{line}\n").repeat(2_000), Manner::Same(1)),
        (pages(400, 25), Manner::Same(1)),
        (format!("{line}\nnothing else\n"), Manner::Same(100_000)),
        (pages(200, 25), Manner::Same(3_000)),
    ] {
        let model = Arc::new(Reader::new(manner));
        let extraction = ask(&model, &deliveries(), &[document("a.pdf", &text)]).unwrap();
        println!("{manner:?} of {} bytes: {} calls", text.len(), model.asked().len());
        assert!(model.asked().len() < 1_500);
        let rows = extraction.record["rows"].as_array().map_or(0, Vec::len);
        assert!(rows <= text.lines().count() + 1, "{rows}");
    }
}

#[test]
fn an_empty_document_among_others_changes_nothing() {
    let mut documents = vec![document("statement.pdf", &pages(300, 25))];
    documents.insert(
        0,
        GroupDocument {
            name: "empty".into(),
            description: None,
            document: Arc::new(Document::default()),
            host: None,
        },
    );
    let model = Arc::new(Reader::new(Manner::Most(70)));
    let extraction = ask(&model, &deliveries(), &documents).unwrap();
    assert_eq!(score(&extraction, &truth(300)), (1.0, 0));
}

#[test]
fn rows_in_deep_objects_are_completed_too_and_deep_answers_are_read() {
    let schema = form(&json!({"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "date": {"type": "date"}, "what": {"type": "string"}, "count": {"type": "integer"},
            "price": {"type": "number"}, "sum": {"type": "number"},
            "notes": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}}}}},
        "name": {"type": "string"}}}}}}));
    let text = pages(40, 20);
    let model = Arc::new(Answers::new(|request: &ChatRequest| {
        let rows: Vec<Value> = shown(request).lines().filter_map(row).take(15).collect();
        let deep = format!("{}{}", "[".repeat(3_000), "]".repeat(3_000));
        says(format!(r#"{{"a": {{"b": {{"rows": {}, "name": null, "deep": {deep}}}}}}}"#, json!(rows)))
    }));
    let extraction = ask(&model, &schema, &[document("a.pdf", &text)]).unwrap();
    let rows = extraction.record["a"]["b"]["rows"].as_array().unwrap();
    assert!(
        rows.len() == 40 && model.asked().len() <= 4,
        "{} rows, {} calls",
        rows.len(),
        model.asked().len()
    );
    assert!(rows.iter().map(|row| &row["what"]).eq(truth(40).iter().map(|row| &row["what"])));
}

#[test]
fn rows_of_two_lines_are_neither_doubled_nor_lost() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "code": {"type": "string"}, "what": {"type": "string"}, "count": {"type": "integer"},
        "price": {"type": "number"}, "sum": {"type": "number"}}}}}));
    let things =
        ["Green tea", "Soap for hands, 2 pieces, with a long name", "Rice", "Ball pen blue, box of 12"];
    let row = |n: usize| {
        let (count, cents) = (n % 4 + 1, 105 + n * 13 % 900);
        (
            format!("A{:03} {}", n, things[n % 4]),
            format!("{count} x {} {}", thousands(cents), thousands(cents * count)),
        )
    };
    let mut text = String::from("Corner shop\n");
    (0..120).for_each(|n| {
        let (first, second) = row(n);
        let _ = writeln!(text, "{first}\n{second}");
    });
    text.push_str("Total 512.30\nThank you\n");
    // It reads both lines of a row, or the second one alone where that is all it sees; and it stops early.
    let model = Arc::new(Answers::new(|request: &ChatRequest| {
        let text = shown(request);
        let mut rows = Vec::new();
        let mut above = None;
        for line in text.lines() {
            let tokens: Vec<&str> = line.split(' ').collect();
            if let [count, "x", price, sum] = tokens.as_slice() {
                let (code, what) = above.take().unzip();
                let number = |text: &str| text.replace(',', "").parse::<f64>().unwrap();
                rows.push(json!({"code": code, "what": what, "count": count, "price": number(price), "sum": number(sum)}));
            } else {
                above = line.split_once(' ').map(|(code, what)| (code.to_owned(), what.to_owned()));
            }
        }
        rows.truncate(50);
        says(json!({"rows": rows}).to_string())
    }));
    let extraction = ask(&model, &schema, &[document("a.pdf", &text)]).unwrap();
    let rows = extraction.record["rows"].as_array().unwrap();
    let codes: Vec<&str> = rows.iter().filter_map(|row| row["code"].as_str()).collect();
    let expected: Vec<String> = (0..120).map(|n| format!("A{n:03}")).collect();
    println!("{} calls", model.asked().len());
    assert_eq!((rows.len(), codes), (120, expected.iter().map(String::as_str).collect()));
}

#[test]
fn rows_with_little_in_them_are_completed_where_there_are_many() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "more": {"type": "string"}}}}}));
    let syllables = ["ka", "lo", "mi", "ter", "vu", "san", "ri", "bel", "no", "gar"];
    let word =
        |n: usize| format!("{}{}{}", syllables[n % 10], syllables[n / 10 % 10], syllables[n / 100 % 10]);
    for with_price in [true, false] {
        let more = move |n: usize| if with_price { format!("{}.50", n % 90 + 1) } else { word(n * 7 + 3) };
        let mut text = String::from("What we have\n\n");
        (0..900).for_each(|n| {
            let _ = writeln!(text, "{} {}", word(n), more(n));
        });
        text.push_str("\nAll goods stay with us until they are paid\nand are sent on Monday\n");
        let model = Arc::new(Answers::new(|request: &ChatRequest| {
            let rows = shown(request);
            let rows = rows.lines().map(|line| line.split(' ').collect::<Vec<_>>());
            let rows = rows.filter_map(|line| match line.as_slice() {
                [what, more] => Some(json!({"what": what, "more": more})),
                _ => None,
            });
            says(json!({"rows": rows.take(80).collect::<Vec<_>>()}).to_string())
        }));
        let extraction = ask(&model, &schema, &[document("a.pdf", &text)]).unwrap();
        let rows: Vec<&Value> = extraction.record["rows"].as_array().unwrap().iter().collect();
        println!("{} rows, {} calls", rows.len(), model.asked().len());
        assert_eq!(rows.len(), 900);
        assert!(rows.iter().enumerate().all(|(n, row)| row["what"] == json!(word(n))));
        assert!(model.asked().len() < 20, "{}", model.asked().len());
    }
}
