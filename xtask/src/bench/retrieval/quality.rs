//! Retrieval quality on data sets with relevance judgements, through the search operation.

use anyhow::Context as _;
use serde_json::{Value, json};

use super::base::Base;
use super::figures::{Grades, Quality};
use super::peers::Peer;
use crate::server::Server;

/// The data sets and their languages.
const SETS: [(&str, &str); 3] = [("cranfield", "en"), ("xquad-en", "en"), ("xquad-de", "de")];
/// Number of requested results.
const DEPTH: usize = 100;
/// Number of documents of one request.
const TOGETHER: usize = 200;
/// Compared chunk sizes in tokens.
const SIZES: [u32; 4] = [100, 200, 300, 500];

/// A data set of the corpus.
struct Set {
    name: &'static str,
    language: &'static str,
    folder: String,
    documents: Vec<(String, String)>,
    queries: Vec<(String, Grades)>,
}

/// Prints the tables.
pub(super) async fn run() -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    // The local embedding model needs a build of its own.
    let model = std::env::var("FORMWORK_MODEL").ok();
    let server = match &model {
        Some(folder) => Server::start_with_embeddings(folder)?,
        None => Server::start()?,
    };
    let mut peer = Peer::quality()?;
    println!("| set | how | nDCG@10 | MAP | R@100 | hit@1 |\n|---|---|---|---|---|---|");
    for (name, language) in SETS {
        let set = Set::read(&corpus, name, language)?;
        peers(&mut peer, &set)?;
        lexical(&server, &set).await?;
        if model.is_some() {
            semantic(&server, &set).await?;
        }
    }
    if model.is_none() {
        println!(
            "\nFORMWORK_MODEL is not set: no vectors were compared (`formwork models add all-minilm-l6-v2` prints the folder of a model)."
        );
    }
    Ok(())
}

impl Set {
    fn read(corpus: &str, name: &'static str, language: &'static str) -> anyhow::Result<Self> {
        let folder = format!("{corpus}/retrieval/{name}");
        let rows = |file: &str| -> anyhow::Result<Vec<Value>> {
            let text = std::fs::read_to_string(format!("{folder}/{file}.jsonl")).context("the set")?;
            Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
        };
        let text = |row: &Value, key: &str| row[key].as_str().map(str::to_owned).context("a row of the set");
        let document = |row: &Value| Ok((text(row, "id")?, text(row, "text")?));
        let query = |row: &Value| -> anyhow::Result<(String, Grades)> {
            let grades = row["relevant"].as_object().context("relevant")?;
            let grade = |(id, grade): (&String, &Value)| (id.clone(), grade.as_f64().unwrap_or_default());
            Ok((text(row, "text")?, grades.iter().map(grade).collect()))
        };
        let mut documents = rows("documents")?.iter().map(document).collect::<anyhow::Result<Vec<_>>>()?;
        // Two documents of Cranfield have no text, which is an error of the data set.
        documents.retain(|(_, text)| !text.trim().is_empty());
        let queries = rows("queries")?.iter().map(query).collect::<anyhow::Result<_>>()?;
        Ok(Self { name, language, folder, documents, queries })
    }

    fn row(&self, how: &str, quality: &Quality) {
        println!("| {} | {how} | {} |", self.name, quality.columns());
    }
}

fn peers(peer: &mut Peer, set: &Set) -> anyhow::Result<()> {
    let task = json!({"folder": set.folder, "language": set.language, "depth": DEPTH});
    peer.say(&task.to_string())?;
    for _ in 0..2 {
        let told = peer.line()?;
        let ranked: Vec<Vec<String>> = serde_json::from_value(told["ranked"].clone())?;
        let mut quality = Quality::default();
        for (ranked, (_, grades)) in ranked.iter().zip(&set.queries) {
            quality.add(ranked, grades);
        }
        set.row(told["peer"].as_str().unwrap_or_default(), &quality);
    }
    Ok(())
}

/// Lexical search: each document as one chunk, and as the service chunks it.
async fn lexical(server: &Server, set: &Set) -> anyhow::Result<()> {
    let whole = create_filled_base(server, set, "chunks", json!({})).await?;
    ask(set, &whole, "formwork, ready-made chunks", &json!({"mode": "lexical"})).await?;
    whole.delete().await?;
    for tokens in SIZES {
        let base = create_filled_base(server, set, "texts", json!({"chunking": {"tokens": tokens}})).await?;
        ask(set, &base, &format!("formwork, texts cut at {tokens} tokens"), &json!({"mode": "lexical"}))
            .await?;
        base.delete().await?;
    }
    Ok(())
}

/// Semantic search with the local model, and hybrid search.
async fn semantic(server: &Server, set: &Set) -> anyhow::Result<()> {
    let client = server.client()?;
    let models: Value = super::base::answer(client.get(format!("{}/v1/models", server.url))).await?;
    let local = models.as_array().into_iter().flatten().find(|model| {
        model["type"] == "text-to-embedding"
            && model["modelId"].as_str().is_some_and(|id| id.ends_with("@formwork"))
    });
    let model = local.context("the local embedding model is not listed")?["modelId"].clone();
    let base = create_filled_base(server, set, "chunks", json!({"embeddingModel": model})).await?;
    for mode in ["lexical", "semantic", "hybrid"] {
        ask(set, &base, &format!("formwork with the local model, {mode}"), &json!({"mode": mode})).await?;
    }
    base.delete().await
}

/// A knowledge base with the documents of a set, ready.
async fn create_filled_base(server: &Server, set: &Set, kind: &str, settings: Value) -> anyhow::Result<Base> {
    let base = Base::create(server, set.name, settings).await?;
    for part in set.documents.chunks(TOGETHER) {
        let texts = part.iter().map(|(id, text)| json!({"title": id, "content": text}));
        let body = json!({ (kind): texts.collect::<Vec<_>>() });
        base.add(&body).await?;
    }
    let record = base.record().await?;
    base.wait_ready(record["files"].as_u64().and_then(|files| files.try_into().ok()).context("files")?)
        .await?;
    Ok(base)
}

async fn ask(set: &Set, base: &Base, how: &str, more: &Value) -> anyhow::Result<()> {
    let mut quality = Quality::default();
    for (query, grades) in &set.queries {
        quality.add(&base.search(query, DEPTH, more).await?, grades);
    }
    set.row(how, &quality);
    Ok(())
}
