//! Expressions over an invoice.

use serde_json::{Value, json};

use super::*;

fn form() -> Value {
    json!({
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "amount": {"type": "number"}, "count": {"type": "integer"}, "price": {"type": "number"},
            "paid": {"type": "boolean"}}}},
        "rates": {"type": "array", "items": {"type": "number"}},
        "net": {"type": "number"}, "tax": {"type": "number"},
        "issued": {"type": "date"}, "due": {"type": "string", "format": "date"},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}, "since": {"type": "date"}}},
        "paid": {"type": "boolean"}, "net amount": {"type": "number"}
    })
}

fn record() -> Value {
    json!({
        "rows": [{"amount": 0.1, "count": 2, "price": 0.05, "paid": true},
            {"amount": 0.2, "count": 1, "price": 0.2, "paid": false}],
        "rates": [7, 19], "net": 0.3, "tax": null, "issued": "2024-01-31", "due": "2024-02-14",
        "seller": {"name": "Ada", "since": "2001-05-01"}, "paid": null, "net amount": 4
    })
}

fn result(source: &str, record: &Value) -> Result<Option<Value>, String> {
    let form = form();
    let scopes = [Scope::of_fields(form.as_object().unwrap(), String::new())];
    let (expression, _) = Expression::parse(source, &scopes)?;
    Ok(expression.evaluate(&[record.as_object().unwrap()], 0.0).to_json())
}

#[test]
fn expressions_have_the_values_of_arithmetic_and_logic() {
    for (source, expected) in [
        ("rows.sum(amount) == net", json!(true)),
        ("rows.sum(amount)", json!(0.3)),
        ("rows.all(count * price == amount)", json!(true)),
        ("rows.count()", json!(2)),
        ("rows.count(paid)", json!(1)),
        ("rows.any(amount > net)", json!(false)),
        ("rows.avg(amount) + rates.sum()", json!(26.15)),
        ("rates.max() - rates.min()", json!(12)),
        ("issued < due and due - issued <= 14", json!(true)),
        ("issued + 14 == due", json!(true)),
        ("due", json!("2024-02-14")),
        ("due >= '2024-02-15'", json!(false)),
        ("seller.name == \"Ada\" or paid", json!(true)),
        ("year(issued) * 100 + month(issued)", json!(202_401)),
        ("round(1.005, 2)", json!(1.01)),
        ("-round(2.5) + 1 - 2 * 3 / 4", json!(-3.5)),
        ("min(net, 1, 2)", json!(0.3)),
        ("coalesce(tax, 0) + `net amount`", json!(4)),
        ("present(tax) or not present(net)", json!(false)),
        ("length(seller.name)", json!(3)),
        ("not (net > 1) && !false", json!(true)),
    ] {
        assert_eq!(result(source, &record()), Ok(Some(expected)), "{source}");
    }
}

#[test]
fn what_depends_on_a_missing_value_is_missing() {
    for source in
        ["net + tax", "tax == 0", "paid and net > 0", "rows.sum(amount / 0) == 1", "-tax", "max(tax, 1)"]
    {
        assert_eq!(result(source, &record()), Ok(None), "{source}");
    }
    let mut gap = record();
    gap["rows"][1]["amount"] = Value::Null;
    assert_eq!(result("rows.sum(amount) == net", &gap), Ok(None));
    assert_eq!(result("rows.sum(coalesce(amount, 0)) == 0.1", &gap), Ok(Some(json!(true))));
    gap["rows"] = Value::Null;
    assert_eq!(result("rows.all(paid)", &gap), Ok(None));
    // The other operand decides.
    assert_eq!(result("paid and net > 1", &record()), Ok(Some(json!(false))));
}

#[test]
fn mistakes_are_told_when_an_expression_is_parsed() {
    for (source, message) in [
        ("row.sum(amount) == net", "'row' is not a field here; did you mean 'rows'?"),
        ("rows.sum(amout) == net", "'amout' is not a field here; did you mean 'amount'?"),
        ("rows.summ(amount) == net", "'summ' is no function of lists; did you mean 'sum'?"),
        ("rows.sum == net", "'sum' is a function: write sum(…)"),
        ("rows.sum() == net", "the function needs to know which value of an entry, such as rows.sum(amount)"),
        ("net.sum(amount)", "'sum' needs a list, not a number"),
        ("rows.sum(paid)", "'sum' needs a number of each entry, not true or false"),
        ("rows.all(amount)", "'all' needs a condition, not a number"),
        ("net + seller.name", "'+' does not go with a number and a text"),
        ("issued + due", "'+' does not go with a date and a date"),
        ("net < true", "'<' does not go with a number and true or false"),
        ("not net", "'not' needs true or false, not a number"),
        ("seller.nam == 'x'", "'nam' is not a part of the object; did you mean 'name'?"),
        ("absolute(net)", "'absolute' is no function"),
        ("round(net, 1, 2)", "'round' has the wrong number of arguments"),
        ("1 < net < 2", "comparisons cannot be chained; join them with 'and'"),
        ("(net", "')' is missing at the end"),
        ("net tax", "'tax' is not expected here"),
        ("net ==", "a value is missing at the end"),
        ("net == * 2", "a value is missing before '*'"),
        ("", "an expression must have 1 to 1000 characters"),
    ] {
        assert_eq!(result(source, &record()).unwrap_err(), message, "{source}");
    }
    let deep = format!("{}net{}", "(".repeat(40), ")".repeat(40));
    assert_eq!(result(&deep, &record()).unwrap_err(), "an expression may be nested 32 levels deep at most");
    let long = vec!["net"; 250].join("+");
    assert_eq!(result(&long, &record()), Ok(Some(json!(75))));
}

#[test]
fn an_expression_that_would_take_too_long_has_no_value() {
    let form = json!({"a": {"type": "array", "items": {"type": "number"}}});
    let record = json!({"a": vec![1; 2_000]});
    let scopes = [Scope::of_fields(form.as_object().unwrap(), String::new())];
    let (expression, _) = Expression::parse("a.sum(a.sum(a.sum()))", &scopes).unwrap();
    assert_eq!(expression.evaluate(&[record.as_object().unwrap()], 0.0).to_json(), None);
}
