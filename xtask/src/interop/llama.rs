//! llama.cpp's own server with a random model. Whatever it generates, an answer must match its schema or be a
//! clear error.

use serde_json::{Value, json};

use super::caller::{Caller, Tally};

/// Number of requests, each with its own prompt.
const SEEDS: usize = 200;

pub(super) async fn check_all(tally: &mut Tally, caller: &Caller) -> anyhow::Result<()> {
    println!("llama.cpp with a random model");
    let (_, models) = caller.get("/v1/models?provider=formwork").await?;
    let listed = models.as_array().into_iter().flatten();
    let own: Vec<&str> = listed.filter_map(|model| model["modelId"].as_str()).collect();
    let Some(model) = own.iter().find(|id| id.starts_with("tiny/")) else {
        tally.check("its model is listed", false, || models.to_string());
        return Ok(());
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "company": {"type": ["string", "null"], "maxLength": 12},
            "total": {"type": ["number", "null"]},
            "count": {"type": ["integer", "null"]},
            "paid": {"type": ["boolean", "null"]},
            "currency": {"enum": ["EUR", "USD", null]}
        },
        "required": ["company", "total", "count", "paid", "currency"],
        "additionalProperties": false
    });
    let format = json!({"type": "json_schema", "json_schema": {"name": "receipt", "schema": schema}});
    let (mut whole, mut clear, mut wrong) = (0, 0, Vec::new());
    for seed in 0..SEEDS {
        let prompt = format!("Receipt {seed}: what are company, total, count, paid and currency?");
        let more = json!({"responseFormat": format, "maxTokens": 200});
        match caller.generate(model, &prompt, more).await? {
            (200, answer) if matches_schema(&answer["text"]) => whole += 1,
            (502 | 504, error) if error["code"].is_string() && error["message"].is_string() => clear += 1,
            other => wrong.push(format!("{other:?}")),
        }
    }
    println!("  of {SEEDS} answers {whole} fit the schema, {clear} were clear errors");
    tally.check("every answer fits its schema or is a clear error", wrong.is_empty(), || wrong.join("; "));
    tally.check("most answers fit", whole > SEEDS / 2, || format!("{whole} of {SEEDS}"));
    let (status, health) = caller.get("/health").await?;
    tally.check("the server is well afterwards", status == 200, || health.to_string());
    Ok(())
}

/// Checked independently of the code under test.
fn matches_schema(text: &Value) -> bool {
    let Some(Ok(Value::Object(record))) = text.as_str().map(serde_json::from_str) else { return false };
    let null_or = |name: &str, test: fn(&Value) -> bool| {
        record.get(name).is_some_and(|value| value.is_null() || test(value))
    };
    record.len() == 5
        && null_or("company", |value| value.as_str().is_some_and(|text| text.chars().count() <= 12))
        && null_or("total", Value::is_number)
        && null_or("count", |value| value.as_f64().is_some_and(|number| number.fract() == 0.0))
        && null_or("paid", Value::is_boolean)
        && null_or("currency", |value| value == "EUR" || value == "USD")
}
