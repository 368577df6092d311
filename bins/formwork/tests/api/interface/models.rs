//! Models of the operator's own servers: what their names tell, and what settings say better.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::kit::Server;

/// Lists these models, draws, speaks and answers.
fn lab() -> Upstream {
    Upstream::start(|request| {
        let names = ["FLUX.1-schnell", "kokoro", "whisper-large-v3", "bge-m3", "llama3.3", "house-painter"];
        match request.path.as_str() {
            "/v1/models" => {
                let data: Vec<Value> = names.iter().map(|name| json!({"id": name})).collect();
                Reply::json(200, &json!({"data": data}))
            }
            "/v1/audio/speech" => Reply::whole(200, "audio/mpeg", "ID3-sound"),
            "/v1/images/generations" => Reply::json(200, &json!({"data": [{"b64_json": "iVBORw0KGgo="}]})),
            path => Reply::whole(404, "text/plain", path.to_owned()),
        }
    })
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn own_models_have_the_kind_that_their_name_tells_or_a_setting_says() {
    let lab = lab();
    let server = Server::with(&format!(
        "[models]\nretries = 0\n[[models.own]]\nname = \"lab\"\nbase_url = \"{}/v1\"\nvoice = \"anna\"\n\
         [[models.own.models]]\nname = \"house-painter\"\nkind = \"text-to-image\"\nsize = \"512x512\"\n\
         [[models.own.models]]\nname = \"unlisted\"\ncontext_tokens = 4096\ninput = 1.0\noutput = 2.0\n\
         [[models.own.models]]\nname = \"kokoro\"\nvoice = \"bella\"\n\
         [[models.own.models]]\nname = \"speaker\"\nkind = \"text-to-speech\"\n\
         [[models.own.models]]\nname = \"house-scorer\"\nkind = \"text-to-score\"",
        lab.url()
    ));
    let listed = server.get("/v1/models?provider=formwork").await.ok();
    let kind = |name: &str| {
        let found = listed
            .as_array()
            .unwrap()
            .iter()
            .find(|model| model["modelId"] == format!("lab/{name}@formwork"));
        found.map(|model| model["type"].as_str().unwrap().to_owned())
    };
    for (name, expected) in [
        ("FLUX.1-schnell", Some("text-to-image")),
        ("kokoro", Some("text-to-speech")),
        ("whisper-large-v3", None),
        ("bge-m3", Some("text-to-embedding")),
        ("llama3.3", Some("text-to-text")),
        ("house-painter", Some("text-to-image")),
        ("house-scorer", Some("text-to-score")),
        ("unlisted", Some("text-to-text")),
        ("speaker", Some("text-to-speech")),
    ] {
        assert_eq!(kind(name).as_deref(), expected, "{name}: {listed}");
    }
    let ask = |model: &str| {
        server.post("/v2/generate", json!({"modelId": format!("lab/{model}@formwork"), "prompt": "A pear"}))
    };
    ask("whisper-large-v3").await.fails(400, "model_cannot");
    for (model, voice) in [("kokoro", "bella"), ("speaker", "anna")] {
        let answer = ask(model).await.ok();
        assert!(answer["audio"].as_str().unwrap().contains("/files/"), "{answer}");
        let sent = lab.requests().pop().unwrap().json();
        assert_eq!((&sent["model"], &sent["voice"]), (&json!(model), &json!(voice)));
    }
    let drawn = ask("house-painter").await.ok();
    assert!(drawn["text"].as_str().unwrap().starts_with("!["), "{drawn}");
    assert_eq!(lab.requests().pop().unwrap().json()["size"], "512x512");
    ask("FLUX.1-schnell").await.ok();
    assert_eq!(lab.requests().pop().unwrap().json().get("size"), None);
    let models = server.home.told(&["models"]);
    assert!(models.contains("lab/unlisted@formwork  text-to-text  4096 tokens"), "{models}");
    let refused = server.request(Method::GET, "/v1/models?provider=own").send().await;
    refused.fails_at(400, "validation_failed", "?provider");
}
