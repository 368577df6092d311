//! Loads the settings from all sources.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use gen_core::ModelId;
use serde::Serialize;
use toml::{Table, Value};
use tracing_subscriber::EnvFilter;

use super::environment::{self, Environment};
use super::error::{SettingsError, invalid};
use super::table::{find, merge};
use super::{Secret, Settings, fetch, models, search};
use crate::url_signing;

/// Settings from the command line. They take precedence over all others.
#[derive(Clone, Debug, Default, Serialize, clap::Args)]
pub struct Flags {
    /// Settings file (default: formwork.toml, if it exists)
    #[arg(long, global = true, help_heading = "Settings", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Address and port to listen on
    #[arg(long, global = true, help_heading = "Settings", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// Folder of the database, the blobs and the first key
    #[arg(long, global = true, help_heading = "Settings", value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<PathBuf>,
    /// Database: sqlite://… or postgres://…
    #[arg(long, global = true, help_heading = "Settings", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_url: Option<String>,
    /// Folder of the files' contents, or s3://bucket/prefix
    #[arg(long, global = true, help_heading = "Settings", value_name = "PLACE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blobs: Option<String>,
    /// URL under which clients reach the server
    #[arg(long, global = true, help_heading = "Settings", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,
}

/// Reads all sources in their order.
///
/// # Errors
/// When the file cannot be read, a value is invalid, or the file has an unknown key.
pub fn load(flags: &Flags) -> Result<Settings, SettingsError> {
    let defaults = table(&Settings::default())?;
    let mut settings = defaults.clone();
    merge(&mut settings, file(flags.config.as_deref())?.unwrap_or_default());
    let environment = Environment::read(&defaults)?;
    merge(&mut settings, environment.settings);
    merge(&mut settings, table(flags)?);
    let mut settings: Settings = serde_path_to_error::deserialize(Value::Table(settings))
        .map_err(|error| invalid(sentence(&error, &defaults)))?;
    check(&settings)?;
    own_keys(&mut settings)?;
    let others: Vec<&str> = settings.models.own.iter().map(|own| own.key_env.as_str()).collect();
    settings.warnings = environment
        .warnings
        .into_iter()
        .filter(|warning| !others.contains(&warning.name.as_str()))
        .map(|warning| warning.sentence)
        .collect();
    settings.ocr.search = search_path();
    settings.browser.search = settings.ocr.search.clone();
    Ok(settings)
}

fn table(source: &impl Serialize) -> Result<Table, SettingsError> {
    Table::try_from(source).map_err(|error| invalid(error.to_string().replace('\n', " ")))
}

fn file(named: Option<&Path>) -> Result<Option<Table>, SettingsError> {
    let path = named.unwrap_or(Path::new("formwork.toml"));
    let shown = || path.display().to_string();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SettingsError::File { path: shown(), reason: error.to_string() }),
    };
    text.parse().map(Some).map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        SettingsError::Syntax { path: shown(), reason, line }
    })
}

/// The search path of programs.
fn search_path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// Reads the keys of own servers from the variables that the settings name.
fn own_keys(settings: &mut Settings) -> Result<(), SettingsError> {
    for own in settings.models.own.iter_mut().filter(|own| !own.key_env.is_empty()) {
        let key = environment::variable(&own.key_env)?.filter(|key| !key.is_empty());
        let missing =
            || format!("the variable '{}' of the own server '{}' is not set", own.key_env, own.name);
        own.key = Secret::from(key.ok_or_else(|| invalid(missing()))?);
    }
    Ok(())
}

/// The error as a sentence that names the key.
fn sentence(error: &serde_path_to_error::Error<toml::de::Error>, defaults: &Table) -> String {
    let key = error.path().to_string();
    if error.inner().message().starts_with("unknown field") {
        return format!("there is no setting '{key}'");
    }
    let wanted = match (key.as_str(), find(defaults, &key)) {
        ("listen", _) => "an address with a port, such as 127.0.0.1:8080",
        ("log.format", _) => "text or json",
        (
            "fetch.web"
            | "fetch.robots"
            | "export.escape_formulas"
            | "files.require_key"
            | "s3.path_style"
            | "s3.allow_http"
            | "traces.send_to_providers"
            | "sign_in.oidc.allow_http"
            | "sign_in.oidc.email_verified",
            _,
        ) => "on or off",
        ("workers.sandbox", _) => "on, required or off",
        ("search.feeds", _) => "a list of texts",
        ("extraction.second_reader", _) => "builtin, off or a model such as m@openai",
        ("extraction.second_reader_when", _) => "always or doubt",
        ("extraction.pictures", _) => "auto or never",
        (_, Some(Value::Integer(_))) => "a whole number from 0",
        (_, Some(Value::Float(_))) => "a number",
        (_, Some(Value::Table(_))) => "a table",
        _ => "a text",
    };
    format!("'{key}' must be {wanted}")
}

/// The allowed range of every numeric setting.
fn ranges(settings: &Settings) -> [(&'static str, u64, u64, u64); 79] {
    /// More threads or processes than any machine can use.
    const THREADS: u64 = 1_024;
    /// Seconds of a day.
    const DAY: u64 = 86_400;
    /// The largest number of memory sizes and TOML.
    const MOST: u64 = i64::MAX as u64;
    let (workers, limits, models) = (&settings.workers, &settings.limits, &settings.models);
    let (knowledge, ocr, fetch) = (&settings.knowledge, &settings.ocr, &settings.fetch);
    let (search, browser) = (&settings.search, &settings.browser);
    [
        ("workers.http_threads", workers.http_threads as u64, 0, THREADS),
        ("workers.database_readers", workers.database_readers.into(), 1, THREADS),
        ("workers.database_writers", workers.database_writers.into(), 1, THREADS),
        ("workers.model_threads", workers.model_threads as u64, 0, THREADS),
        ("workers.parsers", workers.parsers as u64, 0, THREADS),
        ("workers.parser_documents", workers.parser_documents.into(), 1, MOST),
        ("workers.parser_memory_bytes", workers.parser_memory_bytes, 1, MOST),
        ("workers.parser_cpu_seconds", workers.parser_cpu_seconds, 1, DAY),
        ("workers.parser_wall_seconds", workers.parser_wall_seconds, 1, DAY),
        ("workers.parser_idle_seconds", workers.parser_idle_seconds, 1, DAY),
        ("limits.json_body_bytes", limits.json_body_bytes as u64, 1, MOST),
        ("limits.groups_body_bytes", limits.groups_body_bytes as u64, 1, MOST),
        ("limits.pictures_body_bytes", limits.pictures_body_bytes as u64, 1, MOST),
        ("limits.file_bytes", limits.file_bytes, 1, MOST),
        ("limits.files_per_upload", limits.files_per_upload as u64, 1, MOST),
        ("limits.note_bytes", limits.note_bytes as u64, 1, MOST),
        ("limits.groups_per_run", limits.groups_per_run as u64, 1, u32::MAX.into()),
        ("limits.documents_per_group", limits.documents_per_group as u64, 1, MOST),
        ("limits.group_attempts", limits.group_attempts.into(), 1, 100),
        ("limits.run_concurrency", limits.run_concurrency as u64, 1, THREADS),
        ("limits.workspace_concurrency", limits.workspace_concurrency as u64, 1, THREADS),
        ("limits.total_concurrency", limits.total_concurrency as u64, 1, THREADS),
        ("limits.lease_seconds", limits.lease_seconds.into(), 3, DAY),
        ("limits.request_seconds", limits.request_seconds, 1, DAY),
        ("limits.database_seconds", limits.database_seconds, 1, 3_600),
        ("limits.drain_seconds", limits.drain_seconds, 1, DAY),
        ("extraction.pictures_per_call", settings.extraction.pictures_per_call as u64, 1, 100),
        ("extraction.pictures_per_group", settings.extraction.pictures_per_group as u64, 0, 10_000),
        ("extraction.picture_tokens_per_group", settings.extraction.picture_tokens_per_group, 0, MOST),
        ("batches.gather_seconds", settings.batches.gather_seconds.into(), 0, 3_600),
        ("batches.poll_seconds", settings.batches.poll_seconds.into(), 1, 600),
        ("batches.resubmit_seconds", settings.batches.resubmit_seconds.into(), 1, DAY),
        ("chat.turn_seconds", settings.chat.turn_seconds, 1, 3_600),
        ("knowledge.files", knowledge.files, 1, u32::MAX.into()),
        ("knowledge.added", knowledge.added as u64, 1, 1_000_000),
        ("knowledge.attempts", knowledge.attempts.into(), 1, 100),
        ("knowledge.concurrency", knowledge.concurrency as u64, 1, THREADS),
        ("knowledge.query_vector_ms", knowledge.query_vector_ms, 1, 600_000),
        ("knowledge.rerank_ms", knowledge.rerank_ms, 1, 600_000),
        ("knowledge.vector_memory_bytes", knowledge.vector_memory_bytes, 1, MOST),
        ("ocr.dpi", ocr.dpi.into(), 72, 600),
        ("ocr.pages", ocr.pages as u64, 1, 100_000),
        ("ocr.processes", ocr.processes as u64, 0, THREADS),
        ("ocr.page_seconds", ocr.page_seconds, 1, DAY),
        ("ocr.document_seconds", ocr.document_seconds, 1, DAY),
        ("ocr.memory_bytes", ocr.memory_bytes, 64 << 20, MOST),
        ("fetch.connect_seconds", fetch.connect_seconds, 1, DAY),
        ("fetch.idle_seconds", fetch.idle_seconds, 1, DAY),
        ("fetch.total_seconds", fetch.total_seconds, 1, DAY),
        ("fetch.page_bytes", fetch.page_bytes, 1, MOST),
        ("fetch.document_bytes", fetch.document_bytes, 1, MOST),
        ("fetch.image_bytes", fetch.image_bytes, 1, MOST),
        ("fetch.feed_bytes", fetch.feed_bytes, 1, MOST),
        ("fetch.concurrency", fetch.concurrency as u64, 1, THREADS),
        ("fetch.host_concurrency", fetch.host_concurrency as u64, 1, THREADS),
        ("fetch.host_pause_ms", fetch.host_pause_ms, 0, 60_000),
        ("fetch.cache_seconds", fetch.cache_seconds, 0, 3_600),
        ("fetch.cache_bytes", fetch.cache_bytes, 0, MOST),
        ("browser.processes", browser.processes as u64, 1, THREADS),
        ("browser.page_seconds", browser.page_seconds, 2, 600),
        ("browser.script_seconds", browser.script_seconds, 1, 600),
        ("browser.memory_bytes", browser.memory_bytes, 256 << 20, MOST),
        ("browser.traffic_bytes", browser.traffic_bytes, 1, MOST),
        ("search.call_seconds", search.call_seconds, 1, 3_600),
        ("search.provider_seconds", search.provider_seconds, 1, 3_600),
        ("search.cache_seconds", search.cache_seconds.into(), 0, DAY),
        ("search.full_texts", search.full_texts as u64, 0, 100),
        ("search.prompt_tokens", search.prompt_tokens as u64, 0, 1_000_000),
        ("search.concurrency", search.concurrency as u64, 1, THREADS),
        ("models.connect_seconds", models.connect_seconds, 1, DAY),
        ("models.call_seconds", models.call_seconds, 1, DAY),
        ("models.idle_seconds", models.idle_seconds, 1, DAY),
        ("models.retries", models.retries.into(), 0, 10),
        ("models.concurrency", models.concurrency as u64, 1, 65_536),
        // A hundred years.
        ("files.url_seconds", settings.files.url_seconds.into(), 0, 36_525 * DAY),
        ("limits.upload_bytes_per_second", limits.upload_bytes_per_second, 0, 1 << 30),
        ("limits.requests_per_minute", limits.requests_per_minute.into(), 0, u32::MAX.into()),
        ("audit.days", settings.audit.days.into(), 0, 36_525),
        ("sign_in.oidc.call_seconds", settings.sign_in.oidc.call_seconds, 1, 60),
    ]
}

fn check(settings: &Settings) -> Result<(), SettingsError> {
    if !(0.0..=1.0).contains(&settings.extraction.acceptable_error) {
        return Err(invalid("'extraction.acceptable_error' must be from 0 to 1".to_owned()));
    }
    for (key, value, least, most) in ranges(settings) {
        if value < least {
            return Err(invalid(format!("'{key}' must be at least {least}")));
        }
        if value > most {
            return Err(invalid(format!("'{key}' must be at most {most}")));
        }
    }
    check_urls(settings)?;
    settings.blob_location().map_err(|error| invalid(format!("'blobs': {error}")))?;
    check_origins(&settings.cors.origins)?;
    if let Err(error) = EnvFilter::try_new(&settings.log.level) {
        return Err(invalid(format!("'log.level' is not valid: {error}")));
    }
    if let Err(error) = settings.models.default.parse::<ModelId>() {
        return Err(invalid(format!("'models.default': {error}")));
    }
    fetch::check(&settings.fetch).map_err(invalid)?;
    search::check(&settings.search).map_err(invalid)?;
    url_signing::check(&settings.files).map_err(invalid)?;
    settings.metrics.check().map_err(invalid)?;
    settings.traces.check().map_err(invalid)?;
    settings.sign_in.oidc.check().map_err(invalid)?;
    models::check(&settings.models).map_err(invalid)
}

fn check_origins(origins: &str) -> Result<(), SettingsError> {
    let is_origin = |origin: &str| {
        let host = origin.strip_prefix("http://").or(origin.strip_prefix("https://")).unwrap_or_default();
        let host = host.trim_end_matches('/');
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte))
    };
    if ["", "*"].contains(&origins.trim()) || origins.split(',').all(|origin| is_origin(origin.trim())) {
        return Ok(());
    }
    Err(invalid(
        "'cors.origins' must be origins such as https://app.example.com, separated by commas, or *"
            .to_owned(),
    ))
}

fn check_urls(settings: &Settings) -> Result<(), SettingsError> {
    let url = &settings.public_url;
    let host = url.strip_prefix("http://").or(url.strip_prefix("https://"));
    if !url.is_empty() && host.is_none() {
        return Err(invalid("'public_url' must begin with http:// or https://".to_owned()));
    }
    if host.is_some_and(|host| host.is_empty() || host.starts_with('/') || host.contains([' ', '?', '#'])) {
        return Err(invalid("'public_url' must have a host, and neither query nor spaces".to_owned()));
    }
    let file = settings.database_url.strip_prefix("sqlite://");
    if file.is_some_and(|file| file.is_empty() || file == ":memory:" || file.contains('?')) {
        return Err(invalid(
            "'database_url' must name a file after sqlite://, without parameters".to_owned(),
        ));
    }
    Ok(())
}
