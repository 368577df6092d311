//! Settings: defaults, then `formwork.toml`, then the environment, then flags. Only this module reads the
//! environment.

mod audit;
mod batches;
mod browser;
mod catalogue;
mod database_url;
mod environment;
mod error;
mod export;
mod extraction;
mod fetch;
mod files;
mod knowledge;
mod limits;
mod load;
mod metrics;
mod models;
mod ocr;
mod processors;
mod reference;
mod s3;
mod search;
mod sign_in;
mod table;
mod traces;
mod variables;

use std::net::SocketAddr;
use std::path::PathBuf;

use blobs::{BlobLocation, LocationError};
use sandbox::SandboxMode;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use database_url::{redact_password, without_password};

pub use audit::AuditSettings;
pub use batches::BatchSettings;
pub use browser::BrowserSettings;
pub use error::SettingsError;
pub use export::ExportSettings;
pub use extraction::ExtractionSettings;
pub use fetch::{FetchSettings, Switch};
pub use files::FilesSettings;
pub use knowledge::{KnowledgeSettings, VectorMode};
pub use limits::LimitSettings;
pub use load::{Flags, load};
pub use metrics::MetricsSettings;
pub use models::{ModelSettings, OwnModel, OwnServer, PriceSettings, Secret, VendorSettings};
pub use ocr::OcrSettings;
pub use processors::threads;
pub use reference::reference_markdown;
pub use s3::S3Settings;
pub use search::{SearchSettings, SearchVendor, SearchVendorSettings, SearxngSettings};
pub use sign_in::{OidcSettings, SignInSettings};
pub use traces::TracesSettings;

/// All settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// URL under which clients reach the server; `http://` and `listen` when empty.
    pub public_url: String,
    /// Folder of the database, the blobs, the search index and the first key.
    pub data_dir: PathBuf,
    /// `sqlite://…` or `postgres://…`; a file in the data folder when empty.
    #[serde(serialize_with = "redact_password")]
    pub database_url: String,
    /// Folder of the files' contents, or `s3://bucket/prefix`; `blobs` in the data folder when empty.
    pub blobs: String,
    /// Access to the bucket of blobs.
    pub s3: S3Settings,
    /// Logging.
    pub log: LogSettings,
    /// Cross-origin access of browsers.
    pub cors: CorsSettings,
    /// Names for the first start.
    pub first: FirstSettings,
    /// Models.
    pub models: ModelSettings,
    /// How extracted values are checked and judged.
    pub extraction: ExtractionSettings,
    /// Batches of providers.
    pub batches: BatchSettings,
    /// Conversations.
    pub chat: ChatSettings,
    /// Knowledge bases.
    pub knowledge: KnowledgeSettings,
    /// OCR of scanned pages.
    pub ocr: OcrSettings,
    /// Fetching from the web.
    pub fetch: FetchSettings,
    /// The browser for pages that need scripts.
    pub browser: BrowserSettings,
    /// Web and news search.
    pub search: SearchSettings,
    /// Threads and processes.
    pub workers: WorkerSettings,
    /// Limits of requests.
    pub limits: LimitSettings,
    /// Options of exported tables.
    pub export: ExportSettings,
    /// Access to the content of files.
    pub files: FilesSettings,
    /// Metrics for operators.
    pub metrics: MetricsSettings,
    /// Traces for operators.
    pub traces: TracesSettings,
    /// The audit log.
    pub audit: AuditSettings,
    /// How members sign in beside their passwords.
    pub sign_in: SignInSettings,
    /// The program whose `parse-worker` parses documents; this one when absent. Not a setting: tests run in a
    /// program that is not the server's.
    #[serde(skip)]
    pub parser_program: Option<PathBuf>,
    /// Warnings on environment variables without effect, one sentence each. Not a setting.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Logging.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogSettings {
    /// `text` or `json`.
    pub format: LogFormat,
    /// Log filter: a level, or directives such as `info,formwork=debug`.
    pub level: String,
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// JSON Lines, for programs.
    Json,
}

/// Cross-origin access of browsers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CorsSettings {
    /// Origins whose pages may call the server, such as `https://app.example.com`, comma-separated; `*` for
    /// all, none when empty.
    pub origins: String,
}

/// Names for the first start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FirstSettings {
    /// Name of the first workspace.
    pub workspace: String,
    /// Name of the first user.
    pub user_name: String,
    /// E-mail address of the first user.
    pub user_email: String,
}

/// Conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChatSettings {
    /// Time limit in seconds of the models for a turn of the guided conversation; then the rules answer.
    pub turn_seconds: u64,
}

/// Threads and processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkerSettings {
    /// Threads that serve HTTP; 0 means one per processor, at most four.
    pub http_threads: usize,
    /// Threads that read the database.
    pub database_readers: u32,
    /// Threads that write to PostgreSQL.
    pub database_writers: u32,
    /// Threads of the built-in model; 0 means one per processor, at most four.
    pub model_threads: usize,
    /// Parser processes; 0 means one per processor, at most four.
    pub parsers: usize,
    /// Number of documents after which a parser process is replaced.
    pub parser_documents: u32,
    /// Maximum memory of a parser process in bytes.
    pub parser_memory_bytes: u64,
    /// Time limit of one document in seconds of processor time.
    pub parser_cpu_seconds: u64,
    /// Time limit of one document in seconds of wall-clock time.
    pub parser_wall_seconds: u64,
    /// Idle seconds after which a parser process is ended.
    pub parser_idle_seconds: u64,
    /// How strictly parser processes and OCR are confined.
    pub sandbox: SandboxMode,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: String::new(),
            data_dir: PathBuf::from("./formwork-data"),
            database_url: String::new(),
            blobs: String::new(),
            s3: S3Settings::default(),
            log: LogSettings::default(),
            cors: CorsSettings::default(),
            first: FirstSettings::default(),
            models: ModelSettings::default(),
            extraction: ExtractionSettings::default(),
            batches: BatchSettings::default(),
            chat: ChatSettings::default(),
            knowledge: KnowledgeSettings::default(),
            ocr: OcrSettings::default(),
            fetch: FetchSettings::default(),
            browser: BrowserSettings::default(),
            search: SearchSettings::default(),
            workers: WorkerSettings::default(),
            limits: LimitSettings::default(),
            export: ExportSettings::default(),
            files: FilesSettings::default(),
            metrics: MetricsSettings::default(),
            traces: TracesSettings::default(),
            audit: AuditSettings::default(),
            sign_in: SignInSettings::default(),
            parser_program: None,
            warnings: Vec::new(),
        }
    }
}

impl Default for LogSettings {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: "info".to_owned() }
    }
}

impl Default for FirstSettings {
    fn default() -> Self {
        Self {
            workspace: "Main".to_owned(),
            user_name: "Admin".to_owned(),
            user_email: "admin@localhost".to_owned(),
        }
    }
}

impl Default for ChatSettings {
    fn default() -> Self {
        Self { turn_seconds: 5 }
    }
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            http_threads: 0,
            database_readers: 2,
            database_writers: 8,
            model_threads: 0,
            parsers: 0,
            parser_documents: 200,
            parser_memory_bytes: 1 << 30,
            parser_cpu_seconds: 20,
            parser_wall_seconds: 60,
            parser_idle_seconds: 60,
            sandbox: SandboxMode::On,
        }
    }
}

impl Settings {
    /// The database URL; a file in the data folder when not set.
    #[must_use]
    pub fn database_url(&self) -> String {
        match self.database_url.is_empty() {
            true => self.embedded_database_url(),
            false => self.database_url.clone(),
        }
    }

    /// The URL of the database file in the data folder.
    #[must_use]
    pub fn embedded_database_url(&self) -> String {
        format!("sqlite://{}", self.data_dir.join("formwork.db").display())
    }

    /// The database URL without its password.
    #[must_use]
    pub fn shown_database_url(&self) -> String {
        without_password(&self.database_url())
    }

    /// Where the blobs are; a folder in the data folder when not set.
    ///
    /// # Errors
    /// When the setting names no location. `load` refuses such settings.
    pub fn blob_location(&self) -> Result<BlobLocation, LocationError> {
        if self.blobs.is_empty() {
            return Ok(BlobLocation::Folder(self.data_dir.join("blobs")));
        }
        self.blobs.parse()
    }

    /// The folder of the embedding models that run in the server; in the data folder when not set.
    #[must_use]
    pub fn models_folder(&self) -> PathBuf {
        match self.models.folder.as_str() {
            "" => self.data_dir.join("models"),
            folder => PathBuf::from(folder),
        }
    }

    /// The folder of the database's search index; in the data folder when not set.
    #[must_use]
    pub fn index_folder(&self) -> PathBuf {
        let index = &self.knowledge.index;
        let folder = if index.is_empty() { self.data_dir.join("index") } else { PathBuf::from(index) };
        // An index belongs to one database. With another database it would lack that one's contents.
        let digest = Sha256::digest(without_password(&self.database_url()));
        folder.join(hex(&digest[..8]))
    }

    /// The settings as TOML without passwords.
    ///
    /// # Errors
    /// When they cannot be serialised as TOML, which is a defect.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_database_has_an_index_of_its_own() {
        let of = |url: &str| Settings { database_url: url.to_owned(), ..Settings::default() }.index_folder();
        assert_eq!(of("postgres://ada:one@db/x"), of("postgres://ada:two@db/x"));
        let all = [of(""), of("sqlite://other.db"), of("postgres://ada@db/x"), of("postgres://ada@db/y")];
        assert!(all.iter().all(|folder| folder.starts_with("./formwork-data/index")), "{all:?}");
        assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), all.len());
    }

    #[test]
    fn a_password_in_the_database_url_is_never_printed() {
        let url = "postgres://ada:s3cret@db:5432/x?password=s3cret";
        let settings = Settings { database_url: url.to_owned(), ..Settings::default() };
        let text = settings.to_toml().unwrap();
        assert!(!text.contains("s3cret") && text.contains("postgres://ada:<redacted>@db:5432/x"), "{text}");
    }
}
