//! Evidence and conflicts, with a scripted model. Every run also checks that quotes stand where the
//! evidence says.

use crate::common::{cites, document, form, run, says, scripted};
use forms_core::{Evidence, Extraction, Support};
use serde_json::{Value, json};

fn extract(schema: &Value, answer: &str, text: &str) -> Extraction {
    run(scripted(vec![says(answer)]), "m@openai", &form(schema), &[document("a.txt", text)]).unwrap()
}

/// Support, quote and start of the one field `x`.
fn found(definition: Value, value: Value, text: &str) -> (Support, Option<String>, Option<usize>) {
    let answer = json!({"x": value}).to_string();
    let extraction = extract(&json!({"x": definition}), &answer, text);
    let evidence: &Evidence = &extraction.evidence["/x"];
    (evidence.support, evidence.quote.clone(), evidence.start)
}

#[test]
fn values_are_found_in_every_form_in_which_they_are_printed() {
    use Support::{Exact, Fuzzy, Normalised, Unsupported};
    for (kind, value, text, support, quote) in [
        ("string", json!("ACME GmbH"), "Sold by ACME GmbH.", Exact, Some("ACME GmbH")),
        ("string", json!("ACME Ltd."), "(ACME Ltd.)", Exact, Some("ACME Ltd.")),
        ("string", json!("Acme GmbH"), "Sold by ACME\nGMBH.", Normalised, Some("ACME\nGMBH")),
        (
            "string",
            json!("1 Main St Springfield"),
            "1 Main St,\n  Springfield",
            Normalised,
            Some("1 Main St,\n  Springfield"),
        ),
        ("string", json!("Ａ１"), "Room A1", Normalised, Some("A1")),
        ("string", json!("cafe\u{301}"), "Le Café", Normalised, Some("Café")),
        (
            "string",
            json!("the quick brown fox jumps"),
            "a quick brown fox jumps",
            Fuzzy,
            Some("quick brown fox jumps"),
        ),
        ("string", json!("completely absent words"), "nothing of this", Unsupported, None),
        ("string", json!("12"), "in 2012", Unsupported, None),
        ("string", json!("☑"), "Paid ☑", Exact, Some("☑")),
        ("string", json!("2024-03-12"), "on March 12, 2024.", Normalised, Some("March 12, 2024")),
        ("string", json!("東京都"), "住所は東京都です", Exact, Some("東京都")),
        ("number", json!(1234.5), "Sum 1.234,50 €", Normalised, Some("1.234,50")),
        ("number", json!(1234.5), "Sum 1,234.50", Normalised, Some("1,234.50")),
        ("number", json!(1234.5), "Sum 1 234,50", Normalised, Some("1 234,50")),
        ("number", json!(1234.5), "Sum 1234.5", Exact, Some("1234.5")),
        ("number", json!(9), "RM9.00", Normalised, Some("9.00")),
        ("number", json!(-5), "saldo -5,00", Normalised, Some("-5,00")),
        ("number", json!(-5), "saldo (5.00)", Normalised, Some("5.00")),
        ("number", json!(0.19), "VAT 19%", Normalised, Some("19")),
        ("number", json!(1_500_000), "about 1.5 million", Normalised, Some("1.5 million")),
        ("number", json!(4_200_000), "revenue of $4.2 million", Normalised, Some("4.2 million")),
        ("number", json!(4.2), "revenue of $4.2 million", Fuzzy, Some("4.2")),
        ("number", json!(3_500_000), "Umsatz: 3,5 Mio. €", Normalised, Some("3,5 Mio")),
        ("number", json!(-1234.5), "Saldo 1.234,50-", Normalised, Some("1.234,50")),
        ("number", json!(450_000), "Umsatz 450 TEUR", Normalised, Some("450 TEUR")),
        ("number", json!(12), "in 2012 and A12", Unsupported, None),
        ("integer", json!(2024), "12.03.2024", Exact, Some("2024")),
        ("date", json!("2024-03-12"), "Tue, 12. März 2024", Normalised, Some("12. März 2024")),
        ("date", json!("2024-03-12"), "12/03/24", Normalised, Some("12/03/24")),
        ("date", json!("2024-03-12"), "03/12/2024", Normalised, Some("03/12/2024")),
        ("date", json!("2024-03-12"), "2024-03-12T10:00", Exact, Some("2024-03-12")),
        ("date", json!("2024-03-12"), "2024-03-13", Unsupported, None),
        (
            "url",
            json!("https://www.example.com/"),
            "see www.example.com",
            Normalised,
            Some("www.example.com"),
        ),
        ("email", json!("a.b@example.com"), "mail: A.B@Example.com", Normalised, Some("A.B@Example.com")),
        ("boolean", json!(true), "yes", Unsupported, None),
    ] {
        let (got, words, _) = found(json!({"type": kind}), value.clone(), text);
        assert_eq!((got, words.as_deref()), (support, quote), "{value} in {text:?}");
    }
}

#[test]
fn offsets_count_characters_and_come_with_page_and_box() {
    let text = "😀é日\nTotal: 9.00";
    let extraction = extract(&json!({"total": {"type": "number"}}), r#"{"total": 9}"#, text);
    let evidence = &extraction.evidence["/total"];
    assert_eq!((evidence.start, evidence.end, evidence.page), (Some(11), Some(15), Some(1)));
    assert_eq!(evidence.rect.map(|rect| rect.y0), Some(10.0));
    assert_eq!(evidence.document.as_deref(), Some("a.txt"));
}

#[test]
fn the_name_of_the_field_tells_equal_values_apart() {
    let text = "Cash 9.00\nGrand Total: 9.00\nChange 0.00";
    let schema = json!({"grandTotal": {"type": "number"}, "cash": {"type": "number"}});
    let extraction = extract(&schema, r#"{"grandTotal": 9, "cash": 9}"#, text);
    assert_eq!(extraction.evidence["/grandTotal"].start, Some(23));
    assert_eq!(extraction.evidence["/cash"].start, Some(5));
}

#[test]
fn the_beginning_of_a_period_may_leave_the_rest_to_its_end() {
    let schema = form(&json!({"from": {"type": "date"}}));
    for (value, text, words, support) in [
        ("2015-07-01", "du 1er au 31 Juillet 2015", "1er", Support::Normalised),
        ("2024-06-28", "28.06. - 03.07.2024", "28.06.", Support::Normalised),
        ("2015-07-02", "du 1er au 31 Juillet 2015", "1er", Support::Unsupported),
        ("2014-07-01", "du 1er au 31 Juillet 2015", "1er", Support::Unsupported),
    ] {
        let answer = cites(&json!({"from": value}).to_string(), &[("/from", 0, text, words)]);
        let extraction =
            run(scripted(vec![answer]), "m@openai", &schema, &[document("a.txt", text)]).unwrap();
        assert_eq!(extraction.evidence["/from"].support, support, "{value} in {text}");
    }
}

#[test]
fn rows_are_matched_in_order_and_their_parts_side_by_side() {
    let text = "| Item | Qty | Price |\n| Pen | 2 | 2.00 |\n| Ink | 2 | 4.00 |\n| Pen | 4 | 2.00 |";
    let schema = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "item": {"type": "string"}, "qty": {"type": "integer"}, "price": {"type": "number"}}}}});
    let answer = r#"{"rows": [{"item": "Pen", "qty": 2, "price": 2}, {"item": "Ink", "qty": 2, "price": 4},
                              {"item": "Pen", "qty": 4, "price": 2}]}"#;
    let extraction = extract(&schema, answer, text);
    let lines: Vec<(usize, usize)> =
        text.match_indices('\n').map(|(at, _)| at + 1).zip([46, 65, 200]).collect();
    for (row, (from, _)) in lines.iter().enumerate() {
        let to = lines.get(row + 1).map_or(text.len(), |(next, _)| *next);
        for part in ["item", "qty", "price"] {
            let start = extraction.evidence[&format!("/rows/{row}/{part}")].start.unwrap();
            assert!((*from..to).contains(&start), "row {row} {part} at {start}, not in {from}..{to}");
        }
    }
}

#[test]
fn every_row_of_a_long_table_is_found_on_its_own_line() {
    let mut text = "Date 03/04/2024, order 17, Item 3 of 5 pages\n".repeat(30);
    let before = text.lines().count();
    let mut rows = Vec::new();
    for n in 0..300 {
        let (item, count, price) = (format!("Item {}", n % 40), n % 7, f64::from(n % 90) + 0.5);
        text.push_str(&format!("| {n} | {item} | {count} | {price}0 |\n"));
        rows.push(json!({"n": n, "item": item, "count": count, "price": price}));
    }
    let schema = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"},
        "item": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"}}}}});
    let extraction = extract(&schema, &json!({"rows": rows}).to_string(), &text);
    assert_eq!(extraction.evidence.len(), 1_200);
    for (pointer, evidence) in &extraction.evidence {
        let row: usize = pointer.split('/').nth(2).unwrap().parse().unwrap();
        let line = text[..evidence.start.unwrap()].lines().count() - 1;
        assert_eq!(line, before + row, "{pointer}");
    }
}

#[test]
fn rows_of_an_object_that_has_nothing_else_are_found() {
    let schema = json!({"order": {"type": "object", "properties": {"name": {"type": "string"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}, "x": {"type": "string"}}}}}}});
    let answer = r#"{"order": {"name": null, "rows": [{"n": 1, "x": "Pen"}, {"n": 2, "x": "Ink"}]}}"#;
    let extraction = extract(&schema, answer, "1 Pen\n2 Ink");
    assert_eq!(extraction.evidence["/order/rows/1/n"].start, Some(6));
    assert!(extraction.evidence.values().all(|evidence| evidence.support == Support::Exact));
}

#[test]
fn numbers_that_only_a_space_parts_are_found_beside_their_siblings() {
    let schema = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"}}}}});
    let answer = r#"{"rows": [{"what": "Bolt", "count": 80, "price": 430.08}, {"what": "Nut", "count": 80, "price": 430.08}]}"#;
    let extraction = extract(&schema, answer, "Bolt 80 430.08\nNut 80 430.08\n80 430.08");
    let starts = ["/rows/0/count", "/rows/0/price", "/rows/1/count", "/rows/1/price"]
        .map(|pointer| extraction.evidence[pointer].start);
    assert_eq!(starts, [Some(5), Some(8), Some(19), Some(22)]);
}

#[test]
fn repeated_items_are_matched_in_order() {
    let schema = json!({"names": {"type": "array", "items": {"type": "string"}}});
    let extraction = extract(&schema, r#"{"names": ["Ann", "Bob", "Ann"]}"#, "Ann, Bob, Ann");
    let starts: Vec<_> = (0..3).map(|n| extraction.evidence[&format!("/names/{n}")].start).collect();
    assert_eq!(starts, [Some(0), Some(5), Some(10)]);
}

#[test]
fn a_citation_counts_only_where_it_shows_the_value() {
    let text = "Cash 9.00\nTotal 9.00\nOpen: ☑ yes";
    let schema = form(
        &json!({"sum": {"type": "number"}, "open": {"type": "boolean"}, "kind": {"type": "string", "enum": ["sale"]}}),
    );
    let documents = [document("a.txt", text)];
    let answer = r#"{"sum": 9, "open": true, "kind": "sale"}"#;
    let right = cites(
        answer,
        &[("/sum", 0, text, "Total 9.00"), ("/open", 0, text, "yes"), ("/kind", 0, text, "Cash")],
    );
    let extraction = run(scripted(vec![right]), "m@openai", &schema, &documents).unwrap();
    let sum = &extraction.evidence["/sum"];
    assert_eq!((sum.start, sum.quote.as_deref()), (Some(16), Some("9.00")));
    assert_eq!(extraction.evidence["/open"].support, Support::Normalised);
    assert_eq!(extraction.evidence["/kind"].support, Support::Fuzzy);

    let wrong = cites(answer, &[("/sum", 0, text, "Open"), ("/open", 7, text, "yes")]);
    let extraction = run(scripted(vec![wrong]), "m@openai", &schema, &documents).unwrap();
    assert_eq!(extraction.evidence["/sum"].start, Some(5));
    // Found beside the field's name by code, not where the citation says.
    assert_eq!(extraction.evidence["/open"].start, Some(29));
    let open = &extraction.evidence["/open"];
    assert_eq!((open.support, open.quote.as_deref()), (Support::Normalised, Some("yes")));
}

#[test]
fn citations_out_of_bounds_are_passed_over() {
    let schema = form(&json!({"x": {"type": "string"}}));
    for (start, end) in [(0, usize::MAX), (usize::MAX, usize::MAX), (3, 1), (2, 2), (100, 200)] {
        let mut answer = says(r#"{"x": "é"}"#).unwrap();
        let citation =
            gen_core::Citation { pointer: "/x".into(), document: 0, start, end, confidence: f32::NAN };
        answer.citations.push(citation);
        let extraction =
            run(scripted(vec![Ok(answer)]), "m@openai", &schema, &[document("a", "日 é 日")]).unwrap();
        assert_eq!(extraction.evidence["/x"].start, Some(2));
    }
}

#[test]
fn documents_that_disagree_are_a_conflict_and_the_better_evidence_wins() {
    let schema =
        form(&json!({"total": {"type": "number"}, "vendor": {"type": "string"}, "date": {"type": "date"}}));
    let documents = [document("a.txt", "Acme 5.00"), document("b.txt", "ACME 7.00 2024-03-12")];
    let model = || {
        let first = cites(r#"{"total": 6, "vendor": "Acme", "date": null}"#, &[]);
        let second = cites(r#"{"total": 7, "vendor": "ACME", "date": "2024-03-12"}"#, &[]);
        scripted(vec![first, second])
    };
    let extraction = run(model(), "extractive@formwork", &schema, &documents).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"total": 7, "vendor": "Acme", "date": "2024-03-12"}));
    assert_eq!(extraction.conflicts.len(), 1);
    let conflict = &extraction.conflicts[0];
    let sides: Vec<&Value> = conflict.values.iter().map(|side| &side.value).collect();
    assert_eq!((conflict.path.as_str(), sides), ("/total", vec![&json!(7), &json!(6)]));
    assert_eq!(conflict.values[0].evidence.document.as_deref(), Some("b.txt"));
}

#[test]
fn rows_of_several_documents_follow_each_other_without_those_that_stand_twice_at_the_seam() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "n": {"type": "integer"}}}}}));
    let documents = [document("a.txt", "1 2 3"), document("b.txt", "3 1")];
    let model = scripted(vec![
        says(r#"{"rows": [{"n": 1}, {"n": 2}, {"n": 3}]}"#),
        says(r#"{"rows": [{"n": 3}, {"n": 1}]}"#),
    ]);
    let extraction = run(model, "extractive@formwork", &schema, &documents).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"rows": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 1}]}));
    assert_eq!(extraction.evidence["/rows/3/n"].document.as_deref(), Some("b.txt"));
}

#[test]
fn parts_of_objects_are_merged_one_by_one_and_may_disagree() {
    let schema = form(&json!({"buyer": {"type": "object", "properties": {
        "a/b": {"type": "string"}, "city": {"type": "string"}, "vat": {"type": "string"}}}}));
    let documents = [document("a.txt", "Ann, Rome"), document("b.txt", "Ann, Paris, 77")];
    let model = scripted(vec![
        says(r#"{"buyer": {"a/b": "Ann", "city": "Rome", "vat": null}}"#),
        says(r#"{"buyer": {"a/b": "ANN", "city": "Paris", "vat": "77"}}"#),
    ]);
    let extraction = run(model, "extractive@formwork", &schema, &documents).unwrap();
    assert_eq!(
        Value::Object(extraction.record),
        json!({"buyer": {"a/b": "Ann", "city": "Rome", "vat": "77"}})
    );
    let paths: Vec<&str> = extraction.conflicts.iter().map(|conflict| conflict.path.as_str()).collect();
    assert_eq!(paths, ["/buyer/city"]);
    assert!(extraction.evidence.contains_key("/buyer/a~1b"));
}

#[test]
fn evidence_is_written_as_the_interface_says() {
    let written = |text: &str| {
        let extraction = extract(&json!({"x": {"type": "string"}}), r#"{"x": "Ann"}"#, text);
        let mut evidence = serde_json::to_value(&extraction.evidence).unwrap();
        let own = evidence["/x"].as_object_mut().unwrap();
        assert!(own.remove("confidence").unwrap().as_f64().is_some_and(|sure| sure > 0.0 && sure < 1.0));
        assert!(own.remove("accepted").unwrap().is_boolean());
        evidence
    };
    assert_eq!(
        written("Ann"),
        json!({"/x": {"document": "a.txt", "index": 0, "page": 1, "quote": "Ann", "start": 0, "end": 3,
                      "box": {"x0": 0.0, "y0": 0.0, "x1": 100.0, "y1": 10.0}, "support": "exact"}})
    );
    assert_eq!(
        written("Bob"),
        json!({"/x": {"document": null, "page": null, "quote": null, "start": null, "end": null,
                      "support": "unsupported"}})
    );
}

/// Values cut from random texts of every script are found, and quotes stand where they say.
#[test]
fn whatever_is_cut_from_a_text_at_word_edges_is_found_in_it() {
    let alphabet: Vec<char> = "aB1 2.,-/\n |éß日ไ\u{301}\u{ad}ﬁ😀İ٣½(€%".chars().collect();
    let mut state = 7_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % bound
    };
    for _ in 0..400 {
        let text: String = (0..60).map(|_| alphabet[next(alphabet.len())]).collect();
        let words: Vec<&str> =
            text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
        if words.is_empty() {
            continue;
        }
        let word = words[next(words.len())];
        let fields = json!({"s": {"type": "string"}, "n": {"type": "number"}, "d": {"type": "date"},
                            "l": {"type": "array", "items": {"type": "string"}}});
        let answer = json!({"s": word, "n": word, "d": word, "l": words}).to_string();
        let model = scripted(vec![says(answer.clone()), says(answer)]);
        let extraction = run(model, "m@openai", &form(&fields), &[document("a", &text)]).unwrap();
        if let Some(evidence) = extraction.evidence.get("/s") {
            assert_ne!(evidence.support, Support::Unsupported, "{word:?} in {text:?}");
        }
    }
}
