//! The vendors' adapters against aimock and LiteLLM: answers, streams, refusals, aborted streams, schemas,
//! pictures, speech; and the requests that were sent.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::caller::{Caller, Tally};
use super::servers::Aimock;
use super::vendor_spec::VendorSpec;

/// A model of each vendor that aimock simulates.
const MODELS: [&str; 4] =
    ["gpt-4o@openai", "claude-opus-5@anthropic", "gemini-3-flash@google", "mistral-large@mistral"];
const GREETING: &str = "Good morning to you too, and a calm day.";

/// Runs all checks against aimock.
pub(super) async fn check_all(tally: &mut Tally, caller: &Caller, aimock: &Aimock) -> anyhow::Result<()> {
    println!("aimock");
    for model in MODELS {
        answers(tally, caller, model).await?;
        streams(tally, caller, model).await?;
        refusals(tally, caller, aimock, model).await?;
    }
    check_journal(tally, caller, aimock).await?;
    check_described(tally, caller, aimock).await?;
    structured(tally, caller, aimock).await?;
    falls_back(tally, caller).await?;
    media(tally, caller).await?;
    chaos(tally, caller, aimock).await
}

/// Tests LiteLLM's front ends with complete answers only: its streams of mocked models call the real vendors.
pub(super) async fn check_front_ends(tally: &mut Tally, caller: &Caller) -> anyhow::Result<()> {
    println!("LiteLLM's front ends");
    for (model, text) in
        [("claude-front@anthropic", "spoken as Anthropic"), ("gemini-front@google", "spoken as Google")]
    {
        let (status, answer) = caller.generate(model, "say something", json!({})).await?;
        let good = status == 200 && answer["text"] == text;
        tally.check(&format!("{model} answers"), good, || format!("{status} {answer}"));
        let (status, error) = caller.generate(&format!("no-{model}"), "say something", json!({})).await?;
        let clear = (400..=504).contains(&status) && error["code"].is_string();
        tally.check(&format!("an unknown model of {model} is a clear error"), clear, || {
            format!("{status} {error}")
        });
    }
    Ok(())
}

async fn answers(tally: &mut Tally, caller: &Caller, model: &str) -> anyhow::Result<()> {
    let (status, answer) = caller.generate(model, "good morning", json!({})).await?;
    let good = status == 200 && answer["text"] == GREETING && answer["tokens"].is_u64();
    tally.check(&format!("{model} answers"), good, || format!("{status} {answer}"));
    Ok(())
}

async fn streams(tally: &mut Tally, caller: &Caller, model: &str) -> anyhow::Result<()> {
    let events = caller.stream(model, "good morning").await?;
    let deltas: String =
        events.iter().filter_map(|(name, data)| (name == "delta").then(|| data["text"].as_str())?).collect();
    let done = events.last().filter(|(name, _)| name == "done");
    let good = deltas == GREETING && done.is_some_and(|(_, record)| record["text"] == GREETING);
    tally.check(&format!("{model} streams"), good, || format!("{events:?}"));
    let events = caller.stream(model, "break off").await?;
    let last = events.last().map(|(name, _)| name.as_str());
    tally.check(&format!("{model}: a broken stream ends with an error"), last == Some("error"), || {
        format!("{events:?}")
    });
    Ok(())
}

async fn refusals(tally: &mut Tally, caller: &Caller, aimock: &Aimock, model: &str) -> anyhow::Result<()> {
    for prompt in ["too often", "too busy"] {
        aimock.journal(&caller.client).await?;
        let (status, error) = caller.generate(model, prompt, json!({})).await?;
        let tries = aimock.journal(&caller.client).await?.len();
        let told = error.to_string();
        let good = [429, 502, 503].contains(&status) && tries == 3 && !told.contains("the-secret");
        tally.check(&format!("{model}: \"{prompt}\" is tried three times and told"), good, || {
            format!("{status} after {tries}: {error}")
        });
    }
    Ok(())
}

/// Checks the requests in the journal.
async fn check_journal(tally: &mut Tally, caller: &Caller, aimock: &Aimock) -> anyhow::Result<()> {
    aimock.journal(&caller.client).await?;
    let warm = json!({"temperature": 0.2, "maxTokens": 50});
    let (_, answer) = caller.generate("claude-opus-5@anthropic", "good morning", warm).await?;
    let journal = aimock.journal(&caller.client).await?;
    let request = journal.last().cloned().unwrap_or_default();
    let body = &request["body"];
    let plain = ["temperature", "top_p", "top_k"].iter().all(|name| body.get(name).is_none());
    tally.check("Anthropic is sent no sampling parameters", plain, || body.to_string());
    let version = request["headers"]["anthropic-version"].is_string();
    tally.check("Anthropic is told a version", version, || request["headers"].to_string());
    let warned = answer["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty());
    tally.check("what was left out is a warning", warned, || answer.to_string());
    Ok(())
}

/// Validates the requests to OpenAI against its own OpenAPI document.
async fn check_described(tally: &mut Tally, caller: &Caller, aimock: &Aimock) -> anyhow::Result<()> {
    let Some(spec) = VendorSpec::from_env()? else {
        println!("  FORMWORK_OPENAI_SPEC is not set: the check against OpenAI's OpenAPI document is SKIPPED");
        return Ok(());
    };
    aimock.journal(&caller.client).await?;
    let warm = json!({"temperature": 0.2, "maxTokens": 50, "system": "Be brief."});
    caller.generate("gpt-4o@openai", "good morning", warm).await?;
    caller.generate("gpt-4o@openai", "company and total", format()).await?;
    caller.stream("gpt-4o@openai", "good morning").await?;
    for entry in aimock.journal(&caller.client).await? {
        let path = entry["path"].as_str().unwrap_or_default().trim_start_matches("/v1").to_owned();
        let mut body = entry["body"].clone();
        if let Some(body) = body.as_object_mut() {
            // A field that aimock adds.
            body.remove("_endpointType");
        }
        check_against_spec(tally, &spec, &path, &body)?;
    }
    media_as_described(tally, &spec).await
}

fn check_against_spec(tally: &mut Tally, spec: &VendorSpec, path: &str, body: &Value) -> anyhow::Result<()> {
    let found = spec.violations(path, body)?;
    tally.check(&format!("{path} is as OpenAI describes it"), found.is_empty(), || found.join("; "));
    Ok(())
}

/// aimock's journal does not store requests for pictures and speech, so a server of our own records them.
async fn media_as_described(tally: &mut Tally, spec: &VendorSpec) -> anyhow::Result<()> {
    let refusal = json!({"error": {"message": "not today", "type": "invalid_request_error"}});
    let upstream = Upstream::start(move |_| Reply::json(400, &refusal))?;
    let settings = format!("[models.openai]\nbase_url = \"{}\"\nkey = \"k\"\n", upstream.url());
    let server = super::start_server(&settings)?;
    let caller = Caller::new(&server)?;
    for (model, prompt, path) in [
        ("gpt-image-2@openai", "a red boat", "/images/generations"),
        ("gpt-4o-mini-tts@openai", "speak up", "/audio/speech"),
    ] {
        let answer = caller.generate(model, prompt, json!({})).await?;
        let sent = upstream.requests();
        match sent.iter().find(|request| request.path.ends_with(path)) {
            Some(request) => check_against_spec(tally, spec, path, &request.json())?,
            None => tally.check(&format!("{path} is asked"), false, || format!("{answer:?} after {sent:?}")),
        }
    }
    Ok(())
}

fn format() -> Value {
    let properties = json!({"company": {"type": "string"}, "total": {"type": "number"}});
    let schema = json!({"type": "object", "properties": properties, "required": ["company", "total"]});
    json!({"responseFormat": {"type": "json_schema", "json_schema": {"name": "receipt", "schema": schema}}})
}

async fn structured(tally: &mut Tally, caller: &Caller, aimock: &Aimock) -> anyhow::Result<()> {
    aimock.journal(&caller.client).await?;
    let (status, answer) = caller.generate("gpt-4o@openai", "company and total", format()).await?;
    let record: Value = serde_json::from_str(answer["text"].as_str().unwrap_or_default()).unwrap_or_default();
    let good = status == 200 && record["company"] == "Lark & Sons" && record["total"] == 12.5;
    tally.check("a schema is kept to", good, || format!("{status} {answer}"));
    let journal = aimock.journal(&caller.client).await?;
    let wire = journal.last().map(|entry| entry["body"]["response_format"].clone()).unwrap_or_default();
    let named = wire["json_schema"]["name"] == "receipt" && wire["json_schema"]["strict"] == true;
    tally.check("OpenAI is sent a named strict schema", named, || wire.to_string());
    let (status, answer) = caller.generate("gpt-4o@openai", "wrong at first", format()).await?;
    let record: Value = serde_json::from_str(answer["text"].as_str().unwrap_or_default()).unwrap_or_default();
    tally.check("a wrong value is asked for again", status == 200 && record["total"] == 12, || {
        format!("{status} {answer}")
    });
    let (status, error) = caller.generate("gpt-4o@openai", "half an object", format()).await?;
    tally.check(
        "what never fits is a clear error",
        status == 502 && error["code"] == "schema_violation",
        || format!("{status} {error}"),
    );
    Ok(())
}

async fn falls_back(tally: &mut Tally, caller: &Caller) -> anyhow::Result<()> {
    let more = json!({"fallbackModels": ["extractive@formwork"]});
    let (status, answer) = caller.generate("gpt-4o@openai", "too often", more).await?;
    let good = status == 200 && answer["provider"] == "Formwork";
    tally.check("a provider that refuses is passed over", good, || format!("{status} {answer}"));
    Ok(())
}

async fn media(tally: &mut Tally, caller: &Caller) -> anyhow::Result<()> {
    let (status, answer) = caller.generate("gpt-image-2@openai", "a red boat", json!({})).await?;
    let text = answer["text"].as_str().unwrap_or_default();
    let link = text.split("](").nth(1).and_then(|rest| rest.split(')').next());
    let image = match link {
        Some(link) => caller.fetch(link).await?,
        None => Default::default(),
    };
    let good = status == 200 && text.starts_with("![") && image.0 == "image/png" && image.1 > 0;
    tally.check("a picture is made, kept and linked", good, || format!("{status} {answer} {image:?}"));
    let (status, answer) = caller.generate("gpt-4o-mini-tts@openai", "speak up", json!({})).await?;
    let audio = match answer["audio"].as_str().filter(|link| !link.is_empty()) {
        Some(link) => caller.fetch(link).await?,
        None => Default::default(),
    };
    let good = status == 200 && audio.0.starts_with("audio/") && audio.1 > 0;
    tally.check("speech is made, kept and linked", good, || format!("{status} {answer} {audio:?}"));
    Ok(())
}

async fn chaos(tally: &mut Tally, caller: &Caller, aimock: &Aimock) -> anyhow::Result<()> {
    aimock.refuse(&caller.client, 0.2).await?;
    let (mut answered, mut odd) = (0, Vec::new());
    for _ in 0..10 {
        match caller.generate("gpt-4o@openai", "good morning", json!({})).await? {
            (200, answer) if answer["text"] == GREETING => answered += 1,
            (429 | 502 | 503, error) if error["code"].is_string() => {}
            other => odd.push(format!("{other:?}")),
        }
    }
    aimock.refuse(&caller.client, 0.0).await?;
    tally.check(
        "when a fifth of all calls is refused, most are answered",
        answered >= 7 && odd.is_empty(),
        || format!("{answered} of 10; {odd:?}"),
    );
    Ok(())
}
