//! Reading the settings from where they may stand.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::providers::{Env, Format as _, Serialized, Toml};
use serde::Serialize;

use super::Settings;
use super::reference::ENVIRONMENT;

/// Settings given on the command line; they win over all else.
#[derive(Clone, Debug, Default, Serialize, clap::Args)]
pub struct Flags {
    /// Settings file (default: formwork.toml, where it exists)
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Address and port to listen on
    #[arg(long, global = true, value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// Folder of the database, the blobs and the first key
    #[arg(long, global = true, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<PathBuf>,
    /// Database: sqlite://… or postgres://…
    #[arg(long, global = true, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_url: Option<String>,
    /// Folder of the files' contents
    #[arg(long, global = true, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blobs: Option<String>,
    /// Address under which clients reach the server
    #[arg(long, global = true, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,
}

/// Settings that cannot be read. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("the settings file {path} cannot be read: {reason}")]
    File {
        /// Its path.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A value is wrong or a key is not known.
    #[error("the settings are not valid: {0}")]
    Invalid(String),
}

/// Reads all sources in their order.
///
/// # Errors
/// When the file cannot be read, a value is wrong, or the file has a key that is not known.
pub fn load(flags: &Flags) -> Result<Settings, SettingsError> {
    let mut sources = Figment::from(Serialized::defaults(Settings::default()));
    if let Some(text) = file(flags.config.as_deref())? {
        sources = sources.merge(Toml::string(&text));
    }
    // Only known names are taken from the environment: others beginning alike may be somebody else's
    // (orchestrators inject FORMWORK_PORT for a service called formwork).
    let names: Vec<&str> = ENVIRONMENT.iter().map(|(name, _)| *name).collect();
    sources = sources.merge(Env::prefixed("FORMWORK_").only(&names).split("__"));
    let settings: Settings = sources
        .merge(Serialized::defaults(flags))
        .extract()
        .map_err(|error| SettingsError::Invalid(sentence(&error)))?;
    check(&settings)?;
    Ok(settings)
}

fn file(named: Option<&Path>) -> Result<Option<String>, SettingsError> {
    let path = named.unwrap_or(Path::new("formwork.toml"));
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(SettingsError::File { path: path.display().to_string(), reason: error.to_string() })
        }
    }
}

/// The first problem in one line, with the key it is about.
fn sentence(error: &figment::Error) -> String {
    let text = error.kind.to_string();
    let key = error.path.join(".");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if key.is_empty() { line } else { format!("{line} for '{key}'") }
}

fn check(settings: &Settings) -> Result<(), SettingsError> {
    let limits = &settings.limits;
    let zero = [
        ("limits.json_body_bytes", limits.json_body_bytes),
        ("limits.files_per_upload", limits.files_per_upload),
        ("limits.note_bytes", limits.note_bytes),
        ("limits.groups_per_run", limits.groups_per_run),
        ("limits.documents_per_group", limits.documents_per_group),
        ("limits.run_concurrency", limits.run_concurrency),
        ("limits.total_concurrency", limits.total_concurrency),
    ];
    if let Some((key, _)) = zero.iter().find(|(_, value)| *value == 0) {
        return Err(SettingsError::Invalid(format!("'{key}' must be at least 1")));
    }
    let url = &settings.public_url;
    if !url.is_empty() && !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(SettingsError::Invalid("'public_url' must begin with http:// or https://".to_owned()));
    }
    Ok(())
}
