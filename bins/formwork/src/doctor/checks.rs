//! The checks of `formwork doctor`.

use std::error::Error;
use std::net::TcpListener;
use std::path::Path;

use blobs::BlobLocation;
use document::{DocumentParser as _, Source};
use futures_util::stream;
use parser_pool::ParserPool;
use sandbox::{Confinement, SandboxMode};
use store_diesel::{Database, DatabaseInspection, OpenError};

use super::folder::folder;
use super::index::search_index;
use super::sign_in::sign_in;
use super::{CheckResult, CheckStatus};
use crate::contents::open_blobs;
use crate::folder_probe::write_probe;
use crate::generation::local;
use crate::settings::{SearchVendor, Settings, Switch};
use crate::{browser, ocr, parsers, shared_services};

/// The sample that a parser process reads.
const SAMPLE: &str = "# Sample\n\nA parser that works reads this.\n";

/// All checks, in the order of the report.
pub(super) async fn all(settings: &Settings) -> Vec<CheckResult> {
    let (parser, confinement) = parser(settings).await;
    vec![
        CheckResult::new("settings", CheckStatus::Ok, "The settings are valid."),
        data_folder(settings),
        blobs(settings).await,
        database(settings).await,
        search_index(settings).await,
        parser,
        sandbox(settings, confinement),
        ocr(settings).await,
        models(settings),
        local_embeddings(settings),
        browser(settings).await,
        search(settings),
        sign_in(settings).await,
        listen(settings),
    ]
}

/// An error with its causes, in one line.
fn error_line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let part = error.to_string();
        if !text.contains(&part) {
            text.push_str(": ");
            text.push_str(&part);
        }
        source = error.source();
    }
    text.replace('\n', " ")
}

fn data_folder(settings: &Settings) -> CheckResult {
    folder("data folder", &settings.data_dir)
}

async fn blobs(settings: &Settings) -> CheckResult {
    let name = "blobs";
    match settings.blob_location() {
        Ok(BlobLocation::Folder(path)) => folder(name, &path),
        Ok(bucket) => match open_blobs(settings).await {
            Ok(_) => {
                let message = format!("{bucket} can be listed, written to and deleted from.");
                CheckResult::new(name, CheckStatus::Ok, message)
            }
            Err(error) => CheckResult::new(name, CheckStatus::Failed, format!("{error:#}.")),
        },
        Err(error) => CheckResult::new(name, CheckStatus::Failed, format!("{error}.")),
    }
}

async fn database(settings: &Settings) -> CheckResult {
    let name = "database";
    let url = settings.database_url();
    let shown = settings.shown_database_url();
    if let Some(file) = url.strip_prefix("sqlite://").map(Path::new).filter(|file| !file.exists()) {
        return match write_probe(file.parent().unwrap_or(Path::new("."))) {
            Ok(()) => CheckResult::new(name, CheckStatus::Ok, format!("{shown} will be created.")),
            Err(error) => {
                CheckResult::new(name, CheckStatus::Failed, format!("{shown} cannot be created: {error}."))
            }
        };
    }
    let examined = tokio::task::spawn_blocking(move || {
        let missing = Database::missing_migrations(&url)?;
        let problems = DatabaseInspection::open(&url)?.problems(true);
        Ok::<_, OpenError>((missing, problems))
    });
    match examined.await {
        Ok(Ok((_, Err(error)))) => CheckResult::new(
            name,
            CheckStatus::Failed,
            format!("{shown} is damaged: {}.", error_line(&error)),
        ),
        Ok(Ok((_, Ok(problems)))) if !problems.is_empty() => {
            let first = problems.first().map_or("", String::as_str);
            let damage = format!(
                "{shown} is damaged in {} places, the first: {first}. Restore a backup; 'formwork check' lists them.",
                problems.len()
            );
            CheckResult::new(name, CheckStatus::Failed, damage)
        }
        Ok(Ok((missing, _))) if missing.is_empty() => {
            CheckResult::new(name, CheckStatus::Ok, format!("{shown} can be reached and is up to date."))
        }
        Ok(Ok((missing, _))) => {
            let count = missing.len();
            CheckResult::new(
                name,
                CheckStatus::Ok,
                format!("{shown} can be reached; the start will apply {count} migrations."),
            )
        }
        Ok(Err(error)) => {
            CheckResult::new(name, CheckStatus::Failed, format!("{shown}: {}.", error_line(&error)))
        }
        Err(error) => {
            CheckResult::new(name, CheckStatus::Failed, format!("{shown} could not be checked: {error}."))
        }
    }
}

/// The parser, and how its process was confined.
async fn parser(settings: &Settings) -> (CheckResult, Option<Confinement>) {
    match parsers::pool(settings, None) {
        Ok(pool) => (parse_sample(&pool).await, pool.confinement()),
        Err(error) => (CheckResult::new("document parser", CheckStatus::Failed, format!("{error:#}.")), None),
    }
}

async fn parse_sample(pool: &ParserPool) -> CheckResult {
    let name = "document parser";
    let content = Box::pin(stream::iter([Ok(bytes::Bytes::from_static(SAMPLE.as_bytes()))]));
    let source = Source { name: "sample.md".to_owned(), bytes: SAMPLE.len() as u64, content };
    match pool.parse(source).await {
        Ok(document) if document.text.contains("A parser that works") => {
            CheckResult::new(name, CheckStatus::Ok, "A parser process starts and reads a sample.")
        }
        Ok(_) => {
            CheckResult::new(name, CheckStatus::Failed, "A parser process starts but misreads a sample.")
        }
        Err(error) => CheckResult::new(
            name,
            CheckStatus::Failed,
            format!("A sample could not be read: {}.", error_line(&error)),
        ),
    }
}

fn sandbox(settings: &Settings, confinement: Option<Confinement>) -> CheckResult {
    let name = "sandbox";
    let mode = settings.workers.sandbox;
    let Some(confinement) = confinement.filter(|_| mode != SandboxMode::Off) else {
        let message = match mode {
            SandboxMode::Off => {
                "The sandbox is off (workers.sandbox): a document that takes over a parser has the rights of the server."
            }
            _ => "No parser process has started, so its confinement is unknown.",
        };
        return CheckResult::new(name, CheckStatus::Warning, message);
    };
    if confinement.is_complete() {
        let message = format!("Parser processes and OCR are confined by {confinement}.");
        return CheckResult::new(name, CheckStatus::Ok, message);
    }
    let state = match mode {
        SandboxMode::Required => CheckStatus::Failed,
        _ => CheckStatus::Warning,
    };
    let missing = confinement.missing().join(", ");
    let message =
        format!("Parser processes and OCR are confined by {confinement}; the system lacks {missing}.");
    CheckResult::new(name, state, message)
}

async fn ocr(settings: &Settings) -> CheckResult {
    let name = "OCR";
    if settings.ocr.is_off() {
        return CheckResult::new(
            name,
            CheckStatus::Ok,
            "OCR is off (ocr.program); scanned pages are not read.",
        );
    }
    let launcher = match parsers::launcher(settings) {
        Ok(launcher) => launcher,
        Err(error) => return CheckResult::new(name, CheckStatus::Failed, format!("{error:#}.")),
    };
    match ocr::find(&settings.ocr, launcher).await {
        Ok(Some(found)) => CheckResult::new(
            name,
            CheckStatus::Ok,
            format!(
                "{} is tesseract {}; it reads {}.",
                found.program().display(),
                found.version(),
                found.languages().join(", ")
            ),
        ),
        Ok(None) => CheckResult::new(
            name,
            CheckStatus::Warning,
            "No working tesseract was found: scanned pages are not read. Install it (Debian and Ubuntu: \
             apt install tesseract-ocr; Fedora: dnf install tesseract; macOS: brew install tesseract), or name it by \
             ocr.program.",
        ),
        Err(error) => CheckResult::new(name, CheckStatus::Failed, format!("{error:#}.")),
    }
}

async fn browser(settings: &Settings) -> CheckResult {
    let name = "browser";
    if settings.browser.is_off() || settings.fetch.web == Switch::Off {
        let message = "The browser is off; scripts of web pages are not run.";
        return CheckResult::new(name, CheckStatus::Ok, message);
    }
    let policy = settings.fetch.policy().map_err(anyhow::Error::msg);
    let found = match policy.and_then(|policy| browser::find(settings, policy)) {
        Ok(Some(found)) => found.check().await.map(|version| (found, version)).map_err(anyhow::Error::from),
        Ok(None) => {
            return CheckResult::new(
                name,
                CheckStatus::Warning,
                "No Chromium was found: scripts of web pages are not run. Install it (Debian: apt install chromium; \
                 Fedora: dnf install chromium), name it by browser.program, or set that to off.",
            );
        }
        Err(error) => Err(error),
    };
    match found {
        Ok((found, version)) => {
            let sandbox = match settings.browser.sandbox {
                Switch::On => "its sandbox is on",
                Switch::Off => "its sandbox is off (browser.sandbox)",
            };
            let program = found.program().display();
            CheckResult::new(name, CheckStatus::Ok, format!("{program} is {version}; {sandbox}."))
        }
        Err(error) if settings.browser.program.is_empty() => CheckResult::new(
            name,
            CheckStatus::Warning,
            format!("Scripts of web pages are not run: {}.", error_line(error.as_ref())),
        ),
        Err(error) => CheckResult::new(name, CheckStatus::Failed, format!("{}.", error_line(error.as_ref()))),
    }
}

fn models(settings: &Settings) -> CheckResult {
    let name = "models";
    let models = &settings.models;
    let vendors = [
        ("OpenAI", &models.openai),
        ("Anthropic", &models.anthropic),
        ("Google", &models.google),
        ("Mistral", &models.mistral),
    ];
    let mut names: Vec<&str> =
        vendors.iter().filter(|(_, vendor)| !vendor.key.is_empty()).map(|(name, _)| *name).collect();
    names.extend(models.own.iter().map(|own| own.name.as_str()));
    let known = shared_services::generation(settings).and_then(|generation| {
        let default: gen_core::ModelId = models.default.parse()?;
        Ok(generation.check(&default)?)
    });
    let default = &models.default;
    match known {
        Err(error) => {
            CheckResult::new(name, CheckStatus::Failed, format!("The models cannot be used: {error:#}."))
        }
        Ok(()) if names.is_empty() => CheckResult::new(
            name,
            CheckStatus::Ok,
            format!("No vendor has a key; the built-in models work. The default is {default}."),
        ),
        Ok(()) => CheckResult::new(
            name,
            CheckStatus::Ok,
            format!("Keys are set for {}. The default is {default}.", names.join(", ")),
        ),
    }
}

fn local_embeddings(settings: &Settings) -> CheckResult {
    let name = "local embeddings";
    let folders = match local::folders(settings) {
        Ok(folders) => folders,
        Err(error) => return CheckResult::new(name, CheckStatus::Failed, format!("{error:#}.")),
    };
    let names: Vec<_> = folders.iter().filter_map(|folder| folder.file_name()?.to_str()).collect();
    let told = match names.is_empty() {
        true => "No model is installed; `formwork models add` installs one.".to_owned(),
        false => format!("Models: {}.", names.join(", ")),
    };
    CheckResult::new(name, CheckStatus::Ok, told)
}

fn search(settings: &Settings) -> CheckResult {
    let name = "search";
    let names = |vendors: Vec<SearchVendor>| {
        vendors.into_iter().map(SearchVendor::name).collect::<Vec<_>>().join(", ")
    };
    let (web, mut news) = (settings.search.web(), settings.search.news());
    if settings.fetch.web == Switch::Off {
        news.retain(|vendor| *vendor != SearchVendor::Feeds);
    }
    let told = |what: &str, vendors: Vec<SearchVendor>| match vendors.is_empty() {
        true => format!("{what} is not configured"),
        false => format!("{what} uses {}", names(vendors)),
    };
    let message = format!("{}; {}.", told("Web search", web), told("news search", news));
    CheckResult::new(name, CheckStatus::Ok, message)
}

fn listen(settings: &Settings) -> CheckResult {
    let name = "address";
    let address = settings.listen;
    match TcpListener::bind(address) {
        Ok(_) => CheckResult::new(name, CheckStatus::Ok, format!("{address} is free.")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => CheckResult::new(
            name,
            CheckStatus::Failed,
            format!("{address} is already in use, perhaps by a running server."),
        ),
        Err(error) => {
            CheckResult::new(name, CheckStatus::Failed, format!("cannot listen on {address}: {error}."))
        }
    }
}
