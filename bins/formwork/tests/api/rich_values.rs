//! Money, units, less precise dates, unions and maps: from documents, in conversations, in exports and as JSON Schema.

use serde_json::{Value, json};

use crate::kit::Server;

fn schema() -> Value {
    json!({
        "total": {"type": "money", "order": 1, "description": "Total", "currencies": ["EUR", "USD"]},
        "weight": {"type": "number", "order": 2, "unit": "kg"},
        "period": {"type": "date", "order": 3, "precision": "month"},
        "departure": {"type": "string", "order": 4, "format": "date-time"},
        "delivery": {"type": "union", "order": 5, "types": ["date", "string"]},
        "floor": {"type": "union", "order": 6, "types": ["integer", "string"], "minimum": 0}
    })
}

const NOTE: &str = "Total: 12.50 €\nWeight: 250 g\nPeriod: July 2026\nDeparture: 14.07.2026 09:30\nDelivery: 3 August 2026\nFloor: 2\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_document_gives_typed_values_with_their_print_as_evidence() {
    let server = Server::start();
    server.agent("dock", schema()).await;
    let file = server.files(&[("note.txt", NOTE)]).await.remove(0);
    let run =
        server.post("/v1/agent/dock/workflow/delta?evidence=true", json!([[{"url": file["id"]}]])).await.ok();
    let record = &run["results"][0];
    assert_eq!(record["total"], json!({"amount": 12.5, "currency": "EUR"}), "{run}");
    assert_eq!((&record["weight"], &record["period"]), (&json!(0.25), &json!("2026-07")), "{run}");
    assert_eq!(record["departure"], "2026-07-14T09:30:00", "{run}");
    assert_eq!((&record["delivery"], &record["floor"]), (&json!("2026-08-03"), &json!(2)), "{run}");
    let evidence = &run["evidence"][0];
    assert_eq!(evidence["/delivery"]["quote"], "3 August 2026");
    assert_eq!(
        (&evidence["/weight"]["quote"], &evidence["/weight"]["support"]),
        (&json!("250 g"), &json!("normalised"))
    );
    assert_eq!(evidence["/total/currency"]["quote"], "€");
    let sid = run["sid"].as_str().map_or_else(|| run["sid"].to_string(), str::to_owned);
    let csv = server.get(&format!("/v1/agent/dock/workflow/delta?sid={sid}&format=csv")).await;
    assert!(csv.text().contains("total.amount") && csv.text().contains("total.currency"), "{csv:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_asks_for_every_part_and_reads_units_and_months() {
    let server = Server::start();
    server.agent("dock", schema()).await;
    let say = async |session: &Value, message: &str| {
        let body = json!({"message": message, "session_id": session});
        server.post("/v1/agent/dock/chat", body).await.ok()
    };
    let first = server.post("/v1/agent/dock/chat", json!({"message": "hello"})).await.ok();
    let session = first["session_id"].clone();
    let next = &first["form"]["next"];
    assert_eq!(
        (&next["path"], &next["definition"]),
        (&json!("/total/amount"), &schema()["total"]),
        "{first}"
    );
    let second = say(&session, "12.50").await;
    assert_eq!(second["form"]["next"]["path"], "/total/currency", "{second}");
    assert_eq!(second["form"]["next"]["choices"], json!(["EUR", "USD"]));
    let third = say(&session, "EUR").await;
    assert_eq!(third["form"]["values"]["total"], json!({"amount": 12.5, "currency": "EUR"}), "{third}");
    let wrong = say(&session, "250 cm").await;
    assert_eq!(
        (&wrong["form"]["values"]["weight"], &wrong["form"]["errors"][0]["path"]),
        (&Value::Null, &json!("/weight")),
        "{wrong}"
    );
    let fourth = say(&session, "250 g").await;
    assert_eq!(fourth["form"]["values"]["weight"], 0.25, "{fourth}");
    let fifth = say(&session, "July 2026").await;
    assert_eq!(fifth["form"]["values"]["period"], "2026-07", "{fifth}");
    let last = say(&session, "14.07.2026 09:30").await;
    assert_eq!(last["form"]["values"]["departure"], "2026-07-14T09:30:00", "{last}");
    let delivery = say(&session, "by courier").await;
    assert_eq!(delivery["form"]["values"]["delivery"], "by courier", "{delivery}");
    let below = say(&session, "-1").await;
    assert_eq!(
        (&below["form"]["values"]["floor"], &below["form"]["errors"][0]["path"]),
        (&Value::Null, &json!("/floor")),
        "{below}"
    );
    let floor = say(&session, "2").await;
    assert_eq!(
        (&floor["form"]["values"]["floor"], &floor["form"]["complete"]),
        (&json!(2), &json!(true)),
        "{floor}"
    );
    let corrected = say(&session, "change delivery to 3 August 2026").await;
    assert_eq!(corrected["form"]["values"]["delivery"], "2026-08-03", "{corrected}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_definitions_are_refused_and_idle_keys_are_told() {
    let server = Server::start();
    for (definition, place) in [
        (json!({"type": "money", "currencies": ["Euro"]}), "/schema/x/currencies/0"),
        (json!({"type": "money", "currencies": "EUR"}), "/schema/x/currencies"),
        (json!({"type": "money", "enum": ["EUR"]}), "/schema/x/enum"),
        (json!({"type": "map"}), "/schema/x"),
        (json!({"type": "map", "values": {"type": "text"}}), "/schema/x/values/type"),
        (json!({"type": "date", "precision": "month", "default": "2026"}), "/schema/x/default"),
        (json!({"type": "currency"}), "/schema/x/type"),
        (json!({"type": "union"}), "/schema/x"),
        (json!({"type": "union", "types": ["number", "array"]}), "/schema/x/types/1"),
        (json!({"type": ["number", "string"]}), "/schema/x/type"),
    ] {
        let body = json!({"title": "t", "schema": {"x": definition}});
        server.post("/v1/form", body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(server.get("/v1/form").await.ok()["forms"], json!([]), "something was stored");
    let kept = json!({"n": {"type": "number", "unit": "bags"}, "d": {"type": "date", "precision": "week"}});
    let made = server.post("/v1/form", json!({"title": "t", "schema": kept})).await.ok();
    let paths: Vec<&Value> =
        made["warnings"].as_array().unwrap().iter().map(|warning| &warning["path"]).collect();
    assert_eq!(paths, ["/schema/n/unit", "/schema/d/precision"], "{made}");
    assert_eq!(made["schema"], kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_json_schema_of_a_form_says_all_of_it_and_gives_it_back() {
    let server = Server::start();
    let mut fields = schema();
    fields["specs"] = json!({"type": "map", "values": {"type": "number", "unit": "cm"}, "maxItems": 9});
    let form = server.form(fields.clone()).await;
    let told = server.get(&format!("/v1/form/{form}/json_schema")).await.ok();
    assert_eq!(
        told["properties"]["total"]["properties"]["currency"]["enum"],
        json!(["EUR", "USD", null]),
        "{told}"
    );
    assert_eq!(told["properties"]["period"]["type"], json!(["string", "null"]));
    assert_eq!(told["properties"]["specs"]["additionalProperties"]["type"], json!(["number", "null"]));
    assert_eq!(
        told["properties"]["delivery"]["anyOf"],
        json!([{"type": "string", "format": "date"}, {"type": "string"}, {"type": "null"}])
    );
    let back = server.post("/v1/utilities/schema_converter", json!({"schema": told})).await.ok();
    assert_eq!(back["schema"], fields, "{back}");
}
