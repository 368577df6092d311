//! The composition root: adapters into services, services into the state of the HTTP handlers.

use std::sync::{Arc, OnceLock};

use accounts_core::AccountsService;
use agents_core::AgentsService;
use anyhow::Context as _;
use blobs::ObjectBlobs;
use files_core::{FilesConfig, FilesService, OwnUrls};
use forms_core::FormsService;
use gen_core::{GenService, ModelId};
use shared_core::{Clock, IdSource, SystemClock};
use store_diesel::{Database, DatabaseSettings, DieselAccounts, DieselAgents, DieselFiles, DieselForms};

use crate::random::SystemRandom;
use crate::settings::{LimitSettings, Settings};

/// What handlers work with. Clones share it.
#[derive(Clone, Debug)]
pub struct AppState {
    /// Workspaces, users, keys.
    pub accounts: AccountsService,
    /// Files.
    pub files: FilesService,
    /// Forms.
    pub forms: FormsService,
    /// Models.
    pub generation: GenService,
    /// Agents.
    pub agents: AgentsService,
    /// Limits of requests.
    pub limits: LimitSettings,
    /// The description of the interface, made when it is first asked for.
    pub openapi: Arc<OnceLock<String>>,
    /// The database, to be closed at the end.
    pub database: Database,
}

/// Opens the database.
///
/// # Errors
/// One sentence for the operator.
pub fn open_database(settings: &Settings) -> anyhow::Result<Database> {
    let sizes = DatabaseSettings {
        readers: settings.workers.database_readers,
        writers: settings.workers.database_writers,
    };
    Ok(Database::open(&settings.database_url(), sizes)?)
}

/// Accounts over a database, as the command line needs them too.
#[must_use]
pub fn accounts(database: &Database) -> AccountsService {
    let (clock, ids) = ports();
    AccountsService::new(Arc::new(DieselAccounts::new(database.clone())), clock, ids)
}

fn ports() -> (Arc<dyn Clock>, Arc<dyn IdSource>) {
    (Arc::new(SystemClock), Arc::new(SystemRandom))
}

/// Wires everything. `public_url` is known only once the port is bound.
///
/// # Errors
/// One sentence for the operator.
pub fn compose(settings: &Settings, database: Database, public_url: &str) -> anyhow::Result<AppState> {
    let (clock, ids) = ports();
    let blobs = Arc::new(ObjectBlobs::folder(&settings.blob_folder())?);
    let default_model: ModelId = settings.models.default.parse().context("the setting models.default is not valid")?;
    let files_config = FilesConfig {
        max_bytes: settings.limits.file_bytes,
        sniff: documents_core::sniff,
        urls: OwnUrls::new(public_url),
    };
    let files = DieselFiles::new(database.clone());
    let files = FilesService::new(Arc::new(files), blobs, clock.clone(), ids.clone(), files_config);
    let forms = FormsService::new(Arc::new(DieselForms::new(database.clone())), clock.clone(), ids.clone());
    let generation = GenService::builder().build();
    generation.check(&default_model).context("the setting models.default is not valid")?;
    let agents = DieselAgents::new(database.clone());
    let agents =
        AgentsService::new(Arc::new(agents), forms.clone(), generation.clone(), default_model, clock, ids);
    Ok(AppState {
        accounts: accounts(&database),
        files,
        forms,
        generation,
        agents,
        limits: settings.limits.clone(),
        openapi: Arc::default(),
        database,
    })
}
