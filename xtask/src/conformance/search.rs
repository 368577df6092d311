//! `cargo xtask conformance search`: searches of the server through a real SearXNG, whose only engine is a
//! stub on the loopback address, and over feeds of several publishers.
//!
//! SearXNG is in no package registry. `FORMWORK_SEARXNG` names a folder with its source; its requirements,
//! which it pins itself, come from PyPI. Without it that part is skipped. Providers that are only available
//! as a service (Brave, Tavily) are tested with recorded answers in the tests of `providers-http`.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::python::Environment;
use crate::server::{Profile, Server};

/// Settings of SearXNG with placeholders for its port, a secret and the URL of the engine.
const SETTINGS: &str = include_str!("searxng.yml");
/// Feeds as publishers write them, with the number of entries and the publisher of the first.
const FEEDS: [(&str, &str, &[u8], usize, &str); 6] = [
    (
        "google",
        "application/xml",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/google.xml"),
        2,
        "The Herald",
    ),
    (
        "bing",
        "text/xml",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/bing.xml"),
        1,
        "The Herald",
    ),
    (
        "rss2",
        "application/rss+xml",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/rss2.xml"),
        2,
        "Das Hafenblatt",
    ),
    (
        "atom",
        "application/atom+xml",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/atom.xml"),
        2,
        "La Gazette",
    ),
    (
        "rdf",
        "application/rdf+xml",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/rdf.xml"),
        1,
        "Moor News",
    ),
    (
        "json",
        "application/feed+json",
        include_bytes!("../../../crates/providers-http/tests/providers/golden/search/feed.json"),
        3,
        "tides.example",
    ),
];

/// An answer of SearXNG from the stub: one hit for every search.
pub(super) fn engine() -> anyhow::Result<Upstream> {
    let hit =
        json!({"url": "https://harbour.example/cod", "title": "Cod", "content": "What the boats bring in."});
    Upstream::start(move |_| Reply::json(200, &json!({"results": [hit], "unresponsive_engines": []})))
}

/// A server that searches only with this SearXNG and fetches no pages.
pub(super) fn with_searxng<'c>(command: &'c mut Command, searxng: &str) -> &'c mut Command {
    command
        .env("FORMWORK_SEARXNG_URL", searxng)
        .env("FORMWORK_SEARCH__NEWS_ORDER", "searxng")
        .env("FORMWORK_SEARCH__FULL_TEXTS", "0")
}

/// Runs both parts.
pub(super) fn run(profile: Profile) -> anyhow::Result<()> {
    feeds(profile)?;
    let Ok(source) = std::env::var("FORMWORK_SEARXNG") else {
        println!(
            "FORMWORK_SEARXNG is not set to a folder with SearXNG's source: the searches with it are SKIPPED; its recorded \
             answers are tested by `cargo test -p providers-http`"
        );
        return Ok(());
    };
    check_searxng(Path::new(&source), profile)
}

fn start_server(
    profile: Profile,
    prepare: impl FnOnce(&mut Command) -> &mut Command,
) -> anyhow::Result<Server> {
    match profile {
        Profile::Dev => Server::start_checked(prepare),
        Profile::Release => Server::start_with(prepare),
    }
}

/// The only item of the answer to one term.
fn search_one(server: &Server, operation: &str, term: &str, more: Value) -> anyhow::Result<Value> {
    let mut body = json!({"search_terms": [term]});
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let url = format!("{}/v1/utilities/{operation}", server.url);
        let answer = server.client()?.post(url).json(&body).send().await?;
        ensure!(answer.status().is_success(), "{operation} answered with {}", answer.status());
        let items: Value = answer.json().await?;
        Ok(items[0].clone())
    })
}

fn feeds(profile: Profile) -> anyhow::Result<()> {
    let site = Upstream::start(|request: &ReceivedRequest| {
        let name = request.path.trim_start_matches('/').split('?').next().unwrap_or_default();
        match FEEDS.iter().find(|(known, ..)| *known == name) {
            Some((_, kind, body, ..)) => Reply::whole(200, kind, *body),
            None => Reply::whole(404, "text/plain", "no such feed"),
        }
    })?;
    let folder = tempfile::tempdir()?;
    for (name, _, _, count, publisher) in FEEDS {
        let settings = folder.path().join(format!("{name}.toml"));
        let text = format!(
            "[fetch]\nallow = \"127.0.0.1\"\n[search]\nnews_order = \"feeds\"\nfull_texts = 0\n\
             feeds = [\"{}/{name}?q={{query}}\"]\n",
            site.url()
        );
        std::fs::write(&settings, text)?;
        let server = start_server(profile, |command| command.arg("--config").arg(&settings))?;
        let item = search_one(&server, "news", "cod & eel", json!({}))?;
        let sources = item["sources"].as_array().context("sources")?;
        ensure!(sources.len() == count, "the feed {name} has {count} entries: {item}");
        ensure!(sources[0]["provider"] == publisher, "the feed {name} is by {publisher}: {item}");
        println!("feed {name}: {count} entries, the first by {publisher}");
    }
    Ok(())
}

fn check_searxng(source: &Path, profile: Profile) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let requirements = source.join("requirements.txt");
    let requirements = requirements.to_str().context("a folder whose name is a text")?;
    let environment = Environment::with(folder.path(), &["--requirement", requirements])?;
    let engine = Upstream::start(documents)?;
    let searxng = Searxng::start(&environment, source, folder.path(), &engine.url())?;
    let server = start_server(profile, |command| with_searxng(command, &searxng.url))?;
    let tried: [(&str, &str, Value, usize, Option<&str>); 7] = [
        ("websearch", "cod", json!({}), 10, None),
        (
            "websearch",
            "cod & #eel?",
            json!({"limit": 3, "language": "de-AT", "safeSearch": "strict"}),
            3,
            None,
        ),
        ("websearch", "pages", json!({"limit": 20}), 20, None),
        ("news", "cod", json!({"limit": 5}), 5, None),
        ("websearch", "nothing", json!({}), 0, None),
        ("news", "broken", json!({}), 0, Some("provider_failed")),
        ("websearch", "down", json!({}), 0, Some("provider_failed")),
    ];
    for (operation, term, filters, count, error) in tried {
        let item = search_one(&server, operation, term, filters)?;
        let found = item["sources"].as_array().context("sources")?.len();
        let told = item["error"]["code"].as_str();
        ensure!((found, told) == (count, error), "{operation} '{term}': {item}");
        println!("SearXNG, {operation} '{term}': {found} hits, {}", told.unwrap_or("no error"));
    }
    Ok(())
}

/// The engine behind SearXNG: a dozen documents per page, different on each page.
fn documents(request: &ReceivedRequest) -> Reply {
    let parameter = |wanted: &str| {
        let (_, query) = request.path.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix(wanted)?.strip_prefix('=').map(str::to_owned))
    };
    let page: usize = parameter("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    match parameter("q").as_deref() {
        Some("nothing") => Reply::json(200, &json!({"documents": []})),
        Some("down") => Reply::whole(500, "text/plain", "down"),
        Some("broken") => Reply::whole(200, "application/json", "{\"documents\": ["),
        _ => {
            let document = |n: usize| json!({"link": format!("https://harbour.example/{page}/{n}"), "title": format!("Cod {page}.{n}"), "summary": "What the boats bring in."});
            Reply::json(200, &json!({"documents": (0..12).map(document).collect::<Vec<_>>()}))
        }
    }
}

/// A running SearXNG, which ends on drop.
struct Searxng {
    process: Child,
    url: String,
}

impl Searxng {
    fn start(environment: &Environment, source: &Path, folder: &Path, engine: &str) -> anyhow::Result<Self> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let settings = folder.join("searxng.yml");
        std::fs::write(&settings, SETTINGS.replace("{port}", &port.to_string()).replace("{engine}", engine))?;
        let mut command = environment.program("python");
        command.args(["-m", "searx.webapp"]).current_dir(source).env("SEARXNG_SETTINGS_PATH", &settings);
        let log = std::fs::File::create(folder.join("searxng.log"))?;
        let process =
            command.stdout(Stdio::null()).stderr(log).spawn().context("SearXNG cannot be started")?;
        let mut searxng = Self { process, url: format!("http://127.0.0.1:{port}") };
        searxng.until_it_answers(&folder.join("searxng.log"))?;
        Ok(searxng)
    }

    fn until_it_answers(&mut self, log: &Path) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let client = providers_http::client_builder()?.build()?;
        for _ in 0..240 {
            let healthy = runtime.block_on(client.get(format!("{}/healthz", self.url)).send());
            if healthy.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            if self.process.try_wait()?.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        let log = std::fs::read_to_string(log).unwrap_or_default();
        bail!("SearXNG did not come up:\n{log}")
    }
}

impl Drop for Searxng {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
