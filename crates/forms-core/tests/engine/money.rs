//! Money: amounts with their currencies, and what a model makes up of either.

use crate::built_in::read;
use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormExample, FormSchema, Support};
use serde_json::{Value, json};

fn total() -> FormSchema {
    form(&json!({"total": {"type": "money", "rules": ["total.amount > 0"]}}))
}

fn extract(schema: &FormSchema, text: &str, answer: Value) -> Extraction {
    let answers = vec![says(answer.to_string()), says(answer.to_string()), says(answer.to_string())];
    run(scripted(answers), "m@openai", schema, &[document("a.txt", text)]).unwrap()
}

#[test]
fn a_sum_is_an_amount_and_the_currency_that_is_printed_with_it() {
    for (text, answer) in [
        ("Total: 1.234,50 €", json!({"amount": 1234.5, "currency": "EUR"})),
        ("Total: EUR 1,234.50", json!({"amount": "1,234.50", "currency": "EUR"})),
        ("Total: 1.234,50 €", json!("1.234,50 €")),
        (
            "| Item | Total (EUR) |\n| --- | --- |\n| Pen | 1,234.50 |",
            json!({"amount": 1234.5, "currency": null}),
        ),
        ("Total (EUR): 1,234.50", json!({"amount": 1234.5, "currency": "EUR"})),
        ("All amounts in EUR\nTotal: 1,234.50", json!({"amount": 1234.5, "currency": "EUR"})),
    ] {
        let extraction = extract(&total(), text, json!({"total": answer}));
        assert_eq!(
            json!(extraction.record),
            json!({"total": {"amount": 1234.5, "currency": "EUR"}}),
            "{text}"
        );
        assert_eq!(extraction.errors, [], "{text}");
        let quotes: Vec<&str> = ["/total/amount", "/total/currency"]
            .map(|at| extraction.evidence[at].quote.as_deref().unwrap_or(""))
            .into();
        assert!(quotes[0].contains("234"), "{quotes:?}");
        assert!(["€", "EUR"].contains(&quotes[1]), "{text}: {quotes:?}");
        assert_ne!(extraction.evidence["/total/currency"].support, Support::Unsupported);
    }
}

#[test]
fn a_sign_that_several_currencies_share_is_no_code_unless_document_or_form_decides() {
    let usd = json!({"total": {"amount": 12.5, "currency": "USD"}});
    let open = extract(&total(), "Total: $12.50", usd.clone());
    assert_eq!(json!(open.record), json!({"total": {"amount": 12.5, "currency": null}}));
    assert_eq!(open.errors.len(), 1);
    assert!(
        open.errors[0].path == "/total/currency" && open.errors[0].message.contains("several"),
        "{:?}",
        open.errors
    );
    let null = extract(&total(), "Total: $12.50", json!({"total": {"amount": 12.5, "currency": null}}));
    assert_eq!(
        (json!(null.record), null.errors.len()),
        (json!({"total": {"amount": 12.5, "currency": null}}), 0)
    );
    // The document decides, whatever the model says.
    let canadian = extract(&total(), "Prices in CAD\nTotal: $12.50", usd);
    assert_eq!(canadian.record["total"]["currency"], "CAD");
    // The form decides.
    let swedish = form(&json!({"total": {"type": "money", "currencies": ["SEK", "EUR"]}}));
    let kronor = extract(&swedish, "Total: 99 kr", json!({"total": {"amount": 99, "currency": "kr"}}));
    assert_eq!(kronor.record["total"]["currency"], "SEK");
    let pounds = extract(&swedish, "Total: £ 99", json!({"total": {"amount": 99, "currency": "SEK"}}));
    assert_eq!(pounds.record["total"]["currency"], Value::Null);
    assert!(pounds.errors[0].message.contains("one of SEK, EUR"), "{:?}", pounds.errors);
}

#[test]
fn what_a_model_makes_up_is_not_taken() {
    // A currency that is not the one beside the amount, and one that is printed nowhere.
    let other = extract(&total(), "Total: 12.50 €", json!({"total": {"amount": 12.5, "currency": "USD"}}));
    assert_eq!(other.record["total"], json!({"amount": 12.5, "currency": "EUR"}));
    let none = extract(&total(), "Total: 12.50", json!({"total": {"amount": 12.5, "currency": "USD"}}));
    assert_eq!(none.record["total"], json!({"amount": 12.5, "currency": null}));
    assert_eq!(none.errors[0].path, "/total/currency");
    // An amount that is not printed has no support, and its currency none either.
    let invented = extract(&total(), "Total: 12.50", json!({"total": {"amount": 99, "currency": "EUR"}}));
    assert_eq!(invented.evidence["/total/amount"].support, Support::Unsupported);
    assert_eq!(invented.record["total"]["currency"], Value::Null);
    // A currency without an amount is no sum.
    let bare = extract(&total(), "Currency: EUR", json!({"total": {"amount": null, "currency": "EUR"}}));
    assert_eq!(bare.record["total"], Value::Null);
}

#[test]
fn the_currency_of_one_document_does_not_go_with_the_amount_of_another() {
    let answer = json!({"total": {"amount": 12.5, "currency": "USD"}});
    let documents = [document("a.txt", "Total: 12.50 EUR"), document("b.txt", "Paid in USD")];
    let extraction = run(scripted(vec![says(answer.to_string())]), "m@openai", &total(), &documents).unwrap();
    assert_eq!(extraction.record["total"]["currency"], "EUR");
}

#[test]
fn the_built_in_model_reads_sums_beside_labels_and_in_tables() {
    let schema = form(&json!({
        "total": {"type": "money"}, "deposit": {"type": "money"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "article": {"type": "string"}, "price": {"type": "money"}}}}
    }));
    let text = "| Article | Price |\n| --- | --- |\n| Pen | 2.50 € |\n| Paper | 10.00 € |\n\nDeposit: $5.00\nTotal: 12.50 €";
    let extraction = read(&schema, &[document("a.txt", text)]);
    let euro = |amount: f64| json!({"amount": amount, "currency": "EUR"});
    assert_eq!(
        json!(extraction.record),
        json!({"total": euro(12.5), "deposit": {"amount": 5.0, "currency": null}, "rows": [
            {"article": "Pen", "price": euro(2.5)}, {"article": "Paper", "price": euro(10.0)}]})
    );
}

#[test]
fn a_sum_that_is_copied_from_an_example_is_not_taken() {
    let mut schema = form(&json!({"total": {"type": "money"}, "weight": {"type": "number", "unit": "kg"}}));
    let record = json!({"total": {"amount": 99, "currency": "EUR"}, "weight": 0.25});
    let Value::Object(example) = record.clone() else { panic!("an object") };
    schema.examples =
        vec![FormExample { text: "Total: 99.00 EUR\nWeight: 250 g".to_owned(), record: example }];
    let own = form(&json!({"total": {"type": "money", "examples": [{"amount": 99, "currency": "EUR"}]}}));
    let extraction = extract(&own, "Total: 12.50", json!({"total": {"amount": 99, "currency": "EUR"}}));
    assert_eq!(json!(extraction.record), json!({"total": {"amount": null, "currency": null}}));
    for copied in [record, json!({"total": "99.00 EUR", "weight": "0.25 kg"})] {
        let extraction = extract(&schema, "Total: 12.50\nWeight: 3 kg", copied.clone());
        assert_eq!(
            json!(extraction.record),
            json!({"total": {"amount": null, "currency": null}, "weight": null}),
            "{copied}"
        );
        let paths: Vec<&str> = extraction.errors.iter().map(|error| error.path.as_str()).collect();
        assert!(paths.contains(&"/total/amount") && paths.contains(&"/weight"), "{paths:?}");
    }
}
