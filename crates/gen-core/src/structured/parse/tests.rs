//! Answers of models as they come.

use super::*;
use serde_json::json;

fn read(text: &str) -> Option<(Value, bool)> {
    parse(text, RootKind::Object).map(|answer| (answer.value, answer.cut))
}

#[test]
fn an_object_is_found_in_whatever_surrounds_it() {
    let wanted = Some((json!({"a": 1, "b": "x"}), false));
    for text in [
        r#"{"a": 1, "b": "x"}"#,
        "\u{feff} {\"a\": 1, \"b\": \"x\"}\n",
        "```json\n{\"a\": 1, \"b\": \"x\"}\n```",
        "<think>Maybe {\"a\": 2}?</think>\n{\"a\": 1, \"b\": \"x\"}",
        "As in {\"c\": 3}:\n```json\n{\"a\": 1, \"b\": \"x\"}\n``` Done.",
        "{\"a\": 1, \"b\": \"x\"}{\"a\": 1, \"b\": \"x\"}",
        "Here you are: {\"a\": 1, \"b\": \"x\"} I hope it helps {not}.",
        "An empty {} first, then {\"a\": 1, \"b\": \"x\"}",
        r#"[{"a": 1, "b": "x"}]"#,
        r#"[{"a": 1}, {"b": "x"}]"#,
        r#""{\"a\": 1, \"b\": \"x\"}""#,
        r#"{"a": 1, "b": "x",}"#,
        "{'a': 1, 'b': 'x'}",
        r#"{a: 1, b: "x"}"#,
        "{\"a\": 1 // one\n, /* two */ \"b\": \"x\"}",
        r#"{"a": 1 "b": "x"}"#,
        "{“a”: 1, “b”: “x”}",
    ] {
        assert_eq!(read(text), wanted, "{text}");
    }
}

#[test]
fn a_cut_answer_keeps_what_is_complete() {
    for text in [
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": "hal"#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}"#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d"#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d":"#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": 12"#,
        r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": tru"#,
    ] {
        assert_eq!(read(text), Some((json!({"a": 1, "b": [{"c": 2}, {"c": 3}]}), true)), "{text}");
    }
}

#[test]
fn what_is_open_at_the_end_is_no_value() {
    for (text, place) in [
        (r#"{"order": "PO-1"#, "/order"),
        (r#"{"order": "PO-1"#, "/order"),
        (r#"{"total": 215"#, "/total"),
        ("```json\n{\"total\": 215\n```", "/total"),
        ("Here it is: {\"total\": 215 ", "/total"),
        (r#"{total: 215"#, "/total"),
        (r#"{"total": 2,"#, "/total"),
        (r#"{"paid": tru"#, "/paid"),
        (r#"{"order": {"number": "PO-1"#, "/order/number"),
        (r#"[{"order": "PO-1"#, "/order"),
        (r#"{"rows": [{"order": "PO-1"#, "/rows/0/order"),
        (r#"An example: {} or {"order": "PO-1"#, "/order"),
    ] {
        let parsed = parse(text, RootKind::Object).unwrap();
        assert_eq!((parsed.value, parsed.cut, parsed.cut_at.as_str()), (json!({}), true, place), "{text}");
    }
}

#[test]
fn an_answer_with_a_member_that_cannot_be_read_is_told_from_a_whole_one() {
    let without = json!({"b": "x", "c": [1]});
    for text in [
        r#"{"a" is "lost", "b": "x", "c": [1]}"#,
        r#"{"b": "x", "a", "c": [1]}"#,
        r#"{"b": "x", "c": [1], "a" = 2}"#,
        r#"{"b": "x", "a" is [{"b": "other"}], "c": [1]}"#,
    ] {
        assert_eq!(read(text), Some((without.clone(), true)), "{text}");
    }
    let list = parse(r#"{"rows": [{"a": 1}, {"a" -> 2, "b": 3}]}"#, RootKind::Object).unwrap();
    assert_eq!((list.cut, list.value), (true, json!({"rows": [{"a": 1}, {"b": 3}]})));
}

#[test]
fn slips_in_values_are_read_for_what_they_mean() {
    let text = "{\"a\": True, \"b\": None, \"c\": NaN, \"d\": 1e999, \"e\": \"two\nlines\", \"f\": \"\\ud800\", \
                \"g\": +5, \"h\": .5, \"i\": 1,234, \"j\": abc def, \"k\": \"\\q\\u00e9\\ud83d\\ude00\"}";
    assert_eq!(
        read(text).unwrap().0,
        json!({"a": true, "b": null, "d": "1e999", "e": "two\nlines", "f": "\u{fffd}", "g": "+5",
               "h": ".5", "i": "1,234", "j": "abc def", "k": "qé😀"})
    );
}

/// Whether `part` has nothing that `whole` has not.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|known| is_within(value, known)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(part, whole)| is_within(part, whole))
        }
        _ => part == whole,
    }
}

#[test]
fn wherever_an_answer_is_cut_nothing_wrong_is_read() {
    let whole = json!({"a": 12.5, "b": "x \"y\" {z} \\", "c": [1, -20, 300], "d": {"e": null, "f": [true, false]},
                       "g": [{"h": "é😀", "i": "2"}, {"h": "", "i": "33"}], "j": "last"});
    for text in [whole.to_string(), serde_json::to_string_pretty(&whole).unwrap()] {
        for (at, _) in text.char_indices() {
            if let Some(answer) = parse(&text[..at], RootKind::Object) {
                let read = answer.value;
                assert!(answer.cut && is_within(&read, &whole), "{} gave {read}", &text[..at]);
            }
        }
    }
}

#[test]
fn an_answer_with_a_character_lost_is_read_or_refused() {
    let text = json!({"a": 12.5, "b": "x \"y\"", "c": [1, {"d": null}], "e": {"f": true}}).to_string();
    for (at, c) in text.char_indices() {
        let damaged = format!("{}{}", &text[..at], &text[at + c.len_utf8()..]);
        drop(parse(&damaged, RootKind::Object));
        drop(parse(&format!("{}{}{}", &text[..at], "\"", &text[at..]), RootKind::Any));
    }
}

#[test]
fn quotes_within_a_text_do_not_end_it() {
    for (text, value) in [
        (r#"{"a": "The "Blue" Inn", "b": "x"}"#, json!({"a": "The \"Blue\" Inn", "b": "x"})),
        (r#"{"a": "say "hi", please", "b": "x"}"#, json!({"a": "say \"hi\", please", "b": "x"})),
        (r#"{"a": ["6" pipe", "8" pipe",]}"#, json!({"a": ["6\" pipe", "8\" pipe"]})),
        ("{\"a\": \"x\"\n\"b\": \"y\",}", json!({"a": "x", "b": "y"})),
        (r#"{"a": "x" "b": "y"}"#, json!({"a": "x", "b": "y"})),
        (r#"{"a": "it's", 'b': 'it's'}"#, json!({"a": "it's", "b": "it's"})),
    ] {
        assert_eq!(read(text), Some((value, false)), "{text}");
    }
}

#[test]
fn numbers_with_separators_and_signs_around_them_are_kept_whole() {
    for (text, value) in [
        (r#"{"a": 1,234.50 €, "b": 1}"#, json!({"a": "1,234.50 €", "b": 1})),
        (r#"{"a": $1,234.50, "b": 1}"#, json!({"a": "$1,234.50", "b": 1})),
        (r#"{"a": 1.234,50 €, "b": 1}"#, json!({"a": "1.234,50 €", "b": 1})),
        (r#"{"a": 12,5}"#, json!({"a": "12,5"})),
        (r#"{"a": 12, "5": 1}"#, json!({"a": 12, "5": 1})),
        (r#"{"a": 12,5: 1}"#, json!({"a": 12, "5": 1})),
        (r#"{"a": [1,234, 5,],}"#, json!({"a": [1, 234, 5]})),
        (r#"{"a": -1,234,567}"#, json!({"a": "-1,234,567"})),
    ] {
        assert_eq!(read(text), Some((value, false)), "{text}");
    }
}

#[test]
fn of_several_values_the_wanted_one_is_read() {
    let text = r#"As {"c": {"a": 3}} shows: {"a": 1} or {"a": 2}"#;
    let wanted = parse_where(text, RootKind::Object, |value| value.get("a").is_some());
    assert_eq!(wanted.map(|parsed| parsed.value), Some(json!({"a": 1})));
    let none = parse_where(text, RootKind::Object, |_| false);
    assert_eq!(none.map(|parsed| parsed.value), Some(json!({"c": {"a": 3}})));
}

#[test]
fn what_holds_no_object_is_none() {
    for text in ["", "null", "[1, 2]", "[]", "\"x\"", "no braces here", "]]]]", "\0"] {
        assert_eq!(read(text), None, "{text}");
    }
    assert_eq!(read("{}"), Some((json!({}), false)));
}

#[test]
fn bombs_end_quickly_and_shallowly() {
    for bomb in
        ["{\"a\":".repeat(200_000), "{".repeat(200_000), "[".repeat(200_000), "{\"a\":[".repeat(100_000)]
    {
        if let Some(answer) = parse(&bomb, RootKind::Object) {
            assert!(serde_json::to_string(&answer.value).unwrap().len() < 100_000);
        }
    }
    let quotes = "{\"".repeat(50_000);
    drop(parse(&quotes, RootKind::Any));
}

#[test]
fn a_cut_tells_its_place() {
    for (text, place) in [
        (r#"{"a": {"b/c": [1, {"d": "x"#, "/a/b~1c/1/d"),
        (r#"{"a": 1, "b": [[1], [2, "#, "/b/1"),
        (r#"{"a": 1, "b"#, ""),
    ] {
        let parsed = parse(text, RootKind::Object);
        assert_eq!(parsed.map(|parsed| parsed.cut_at), Some(place.to_owned()), "{text}");
    }
    assert_eq!(parse("[1, [2, {", RootKind::Array).map(|parsed| parsed.value), Some(json!([1])));
}

#[test]
fn lists_and_single_values_are_read_where_they_are_asked_for() {
    let list = |text| parse(text, RootKind::Array).map(|parsed| parsed.value);
    assert_eq!(list("Sure: [1, 2,]"), Some(json!([1, 2])));
    assert_eq!(list(r#"{"items": [1]}"#), Some(json!([1])));
    assert_eq!(list("{}"), None);
    let any = |text| parse(text, RootKind::Any).map(|parsed| parsed.value);
    assert_eq!(any(" 42 "), Some(json!(42)));
    assert_eq!(any("```\n\"x\"\n```"), Some(json!("x")));
    assert_eq!(any("so [1] it is {}"), Some(json!([1])));
    assert_eq!(any("just words"), None);
}

#[test]
fn megabytes_of_anything_are_read_in_one_pass() {
    let slip = |unit: &str| format!("{{\"a\": [{}", unit.repeat(200_000 / unit.len()));
    for unit in [
        " ",
        "1,",
        "1 ,\n",
        "x,",
        "\"b\",",
        "[],",
        "{},",
        "// x\n",
        "/**/",
        "'",
        "\\",
        "\"\\ud800\",",
        "1e999,",
        "{a,",
        "a:",
    ] {
        let text = slip(unit);
        drop(parse(&text, RootKind::Object));
        drop(parse(&text, RootKind::Array));
    }
    let spaces = " ".repeat(5_000_000);
    let padded = format!("{spaces}{{\"a\":{}1}}", &spaces[..1_000_000]);
    assert_eq!(parse(&padded, RootKind::Object).map(|parsed| parsed.value), Some(json!({"a": 1})));
    assert_eq!(parse(&"é".repeat(3_000_000), RootKind::Any), None);
}

#[test]
fn any_text_at_all_is_read_or_refused() {
    let pieces = [
        "{", "}", "[", "]", "\"", "'", ":", ",", "\\", "\\u", "d800", "null", "1e9999", "-", " ", "\n", "//",
        "/*", "*/", "é", "\u{0}", "```", "“", "a",
    ];
    let mut state = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        for root in [RootKind::Object, RootKind::Array, RootKind::Any] {
            if let Some(parsed) = parse(&text, root) {
                assert!(parsed.cut || parsed.cut_at.is_empty(), "{text}");
                assert!(root != RootKind::Object || parsed.value.is_object(), "{text}");
                assert!(root != RootKind::Array || parsed.value.is_array(), "{text}");
            }
        }
    }
}
