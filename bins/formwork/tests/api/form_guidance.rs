//! What a form teaches, over HTTP: rules between fields, computed fields, aliases and examples.

use serde_json::{Value, json};
use testkit::upstream::Upstream;

use crate::generate::kit::{said, settings};
use crate::kit::{Home, Server};

fn schema() -> Value {
    json!({
        "reference": {"type": "string", "aliases": ["Belegkennung"]},
        "net": {"type": "number"}, "tax": {"type": "number"},
        "total": {"type": "number", "rules": [
            {"check": "net + tax == total", "tolerance": 0.01, "message": "net and tax are not the total"}]},
        "gross": {"type": "number", "computed": "net + tax"}
    })
}

const BILL: &str = "Belegkennung: KX-7\nNet: 100.00\nTax: 19.00\nTotal: 120.00\n";

async fn records(home: &Home) {
    let mut server = home.start();
    let form = server.agent("inv", schema()).await;
    let file = server.files(&[("bill.txt", BILL)]).await[0]["id"].clone();
    let run = server.delta("inv", "?evidence=true", &[&[&file]]).await;
    let record = json!({"reference": "KX-7", "net": 100.0, "tax": 19.0, "total": 120.0, "gross": 119});
    assert_eq!(run["results"], json!([record]));
    let broken = json!([[{"path": "/total", "message": "net and tax are not the total (119 and 120)"}]]);
    assert_eq!(run["errors"], broken);
    let evidence = &run["evidence"][0];
    assert_eq!(
        (&evidence["/gross"]["support"], &evidence["/gross"]["document"]),
        (&json!("computed"), &Value::Null)
    );
    for pointer in ["/net", "/tax", "/total"] {
        assert_eq!(evidence[pointer]["accepted"], false, "{pointer}");
    }
    // An example teaches another label, and makes another version.
    let example =
        json!({"text": "Vorgangskürzel: ZZ-1\nNet: 1.00", "record": {"reference": "ZZ-1", "net": 1}});
    let path = format!("/v1/form/{form}");
    // Members that an example does not have are ignored, as everywhere.
    let mut sent = example.clone();
    sent["source"] = json!("the archive");
    let changed = server.put(&path, json!({"examples": [sent]})).await.ok();
    assert_eq!((&changed["examples"], &changed["schema"]), (&json!([example]), &schema()));
    server.kill();
    let server = home.start();
    assert_eq!(server.get(&path).await.ok()["examples"], json!([example]));
    let versions = format!("{path}/versions");
    assert_eq!(server.get(&format!("{versions}/2")).await.ok()["examples"], json!([example]));
    assert!(server.get(&format!("{versions}/1")).await.ok().get("examples").is_none());
    let other = server.files(&[("other.txt", "Vorgangskürzel: KX-9\nTax: 2.00\n")]).await[0]["id"].clone();
    let run = server.delta("inv", "", &[&[&other]]).await;
    assert_eq!(run["results"][0]["reference"], "KX-9", "{run}");
    assert_eq!(server.put(&path, json!({"examples": []})).await.ok().get("examples"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_computed_fields_aliases_and_examples_reach_the_records() {
    records(&Home::new("")).await;
    if let Some(home) = Home::on_postgres() {
        records(&home).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_told_the_rule_that_it_broke_and_shown_the_examples() {
    let wrong = json!({"reference": "KX-7", "net": 100, "tax": 19, "total": 120}).to_string();
    let bill = BILL.replace("Total: 120.00", "Total before rounding: 120.00\nTotal: 119.00");
    let right = json!({"reference": "KX-7", "net": 100, "tax": 19, "total": 119}).to_string();
    let vendor = Upstream::start_replies([said(&wrong), said(&right)]).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let form = server.form(schema()).await;
    let example = json!({"text": "Belegkennung: ZZ-1", "record": {"reference": "ZZ-1"}});
    server.put(&format!("/v1/form/{form}"), json!({"examples": [example]})).await.ok();
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": "m@openai"})).await.ok();
    let file = server.files(&[("bill.txt", &bill)]).await[0]["id"].clone();
    let run = server.delta("inv", "", &[&[&file]]).await;
    assert_eq!((&run["results"][0]["total"], &run["errors"]), (&json!(119), &json!([[]])), "{run}");
    let asked: Vec<String> = vendor
        .requests()
        .iter()
        .filter(|request| request.method == "POST")
        .map(|request| request.json().to_string())
        .collect();
    assert_eq!(asked.len(), 2);
    assert!(asked[0].contains("Belegkennung: ZZ-1") && asked[0].contains("Also printed as: Belegkennung"));
    assert!(!asked[0].contains("gross"), "a computed field is not asked for");
    assert!(asked[1].contains("net and tax are not the total (119 and 120)"), "{}", asked[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_computes_fields_and_warns_of_broken_rules() {
    let server = Server::start();
    let schema = json!({
        "guests": {"type": "integer", "order": 1, "rules": [{"check": "guests <= 8", "message": "we have eight seats"}]},
        "nights": {"type": "integer", "order": 2},
        "beds": {"type": "integer", "computed": "guests * nights"}
    });
    server.agent("stay", schema).await;
    let say = async |id: Option<&Value>, message: &str| {
        let body = json!({"message": message, "session_id": id});
        server.post("/v1/agent/stay/chat", body).await.ok()
    };
    let first = say(None, "Hello").await;
    let id = &first["session_id"];
    let told = say(Some(id), "9 guests").await;
    assert!(told["warnings"].to_string().contains("we have eight seats"), "{told}");
    let told = say(Some(id), "3 nights").await;
    assert!(!told.to_string().contains("beds?"), "{told}");
    // It asks whether the values are meant, and takes them if so.
    let asked = told["text"].as_str().unwrap();
    assert!(
        asked.contains("We have eight seats (9 and 8).") && asked.contains("Guests is 9 now."),
        "{asked}"
    );
    let kept = say(Some(id), "keep it").await;
    assert_eq!(kept["form"]["status"], "confirming", "{kept}");
    say(Some(id), "yes").await;
    let sent = server.get("/v1/agent/stay/submissions").await.ok();
    let record = &sent["submissions"][0]["record"];
    assert_eq!(record, &json!({"guests": 9, "nights": 3, "beds": 27}), "{sent}");
}

/// A rule about a computed value asks for what it is computed from, one after the other, and only what broke it.
#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_asks_again_for_what_a_computed_value_depends_on() {
    let server = Server::start();
    let schema = json!({
        "name": {"type": "string", "order": 1},
        "guests": {"type": "integer", "order": 2},
        "nights": {"type": "integer", "order": 3},
        "beds": {"type": "integer", "computed": "guests * nights"},
        "price": {"type": "integer", "computed": "beds * 10",
            "rules": [{"check": "price <= 100", "message": "that costs too much"}]}
    });
    server.agent("stay", schema).await;
    let say = async |id: &Value, message: &str| {
        let body = json!({"message": message, "session_id": id});
        server.post("/v1/agent/stay/chat", body).await.ok()
    };
    let first = say(&Value::Null, "Hello").await;
    let id = &first["session_id"];
    say(id, "My name is Ann Lee").await;
    say(id, "4 guests").await;
    let asked = say(id, "3 nights").await;
    let text = asked["text"].as_str().unwrap();
    assert!(
        text.contains("That costs too much (120 and 100).") && text.contains("Guests is 4 now."),
        "{asked}"
    );
    assert!(asked["warnings"].to_string().contains("that costs too much"), "{asked}");
    let kept = say(id, "keep it").await;
    assert!(kept["text"].as_str().unwrap().contains("Nights is 3 now."), "{kept}");
    let changed = say(id, "2").await;
    assert_eq!(
        (&changed["form"]["status"], &changed["warnings"]),
        (&json!("confirming"), &json!([])),
        "{changed}"
    );
    say(id, "yes").await;
    let sent = server.get("/v1/agent/stay/submissions").await.ok();
    let record = &sent["submissions"][0]["record"];
    assert_eq!(
        record,
        &json!({"name": "Ann Lee", "guests": 4, "nights": 2, "beds": 8, "price": 80}),
        "{sent}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_of_rules_and_examples_are_told_and_nothing_is_stored() {
    let server = Server::start();
    let create = async |schema: Value, examples: Value| {
        server.post("/v1/form", json!({"title": "F", "schema": schema, "examples": examples})).await
    };
    let number = json!({"net": {"type": "number"}, "due": {"type": "date"}});
    for (key, value, place, message) in [
        (
            "rules",
            json!(["nett > 0"]),
            "/schema/total/rules/0",
            "'nett' is not a field here; did you mean 'net'?",
        ),
        (
            "rules",
            json!(["net + due == 1"]),
            "/schema/total/rules/0",
            "'+' does not go with a number and a date",
        ),
        (
            "computed",
            json!("total"),
            "/schema/total/computed",
            "the value needs a computed field that needs this one",
        ),
        (
            "computed",
            json!("due"),
            "/schema/total/computed",
            "the expression gives a date, and the field is a number",
        ),
        (
            "aliases",
            json!([""]),
            "/schema/total/aliases",
            "'aliases' must be a list of at most 50 texts of 1 to 256 characters",
        ),
    ] {
        let mut schema = number.clone();
        schema["total"] = json!({"type": "number", key: value});
        let refused = create(schema, json!(null)).await.fails_at(400, "validation_failed", place);
        assert_eq!(refused["message"], message);
    }
    for (examples, place) in [
        (json!({}), "/examples"),
        (json!([{"text": "x"}]), "/examples"),
        (json!([{"text": " ", "record": {}}]), "/examples/0/text"),
        (json!([{"text": "x", "record": {"nett": 1}}]), "/examples/0/record/nett"),
        (json!([{"text": "x", "record": {"net": "much"}}]), "/examples/0/record/net"),
        (json!(vec![json!({"text": "x", "record": {}}); 6]), "/examples"),
    ] {
        create(number.clone(), examples).await.fails_at(400, "validation_failed", place);
    }
    // The other half of the pair may be what does not fit.
    let example = json!([{"text": "x", "record": {"net": 1}}]);
    let form = create(number, example).await.ok()["form_id"].as_str().unwrap().to_owned();
    let change = json!({"schema": {"due": {"type": "date"}}});
    server.put(&format!("/v1/form/{form}"), change).await.fails_at(
        400,
        "validation_failed",
        "/examples/0/record/net",
    );
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], 1);
}
