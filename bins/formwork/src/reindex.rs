//! `formwork reindex`: rebuilds the search index, here or in the running servers.

use anyhow::Context as _;
use kb_core::{ChangeFeed as _, Reindexed, reindex};
use search_index::{LexicalSettings, OpenError, TantivyLexicalIndex};
use store_diesel::{Database, DieselKnowledge};

use crate::database;
use crate::knowledge::with_advice;
use crate::settings::Settings;

/// Number of files between two progress messages.
const TOLD_EVERY: u64 = 10_000;

/// Rebuilds the lexical index. If a server has it open, that server is asked to rebuild it and serves the
/// present one until then. `tell` receives progress messages. Returns what was done.
///
/// # Errors
/// One sentence for the operator.
pub(crate) async fn run(settings: &Settings, tell: impl Fn(&str) + Send + Sync) -> anyhow::Result<String> {
    let folder = settings.index_folder();
    std::fs::create_dir_all(&settings.data_dir)
        .with_context(|| format!("the data folder {} cannot be created", settings.data_dir.display()))?;
    let database = database::open(settings)?;
    let done = match TantivyLexicalIndex::open(&folder, LexicalSettings::default()) {
        Ok(words) => here(&database, settings, &words, tell).await,
        Err(OpenError::InUse(_)) => ask(&database).await,
        Err(error) => Err(with_advice(error)),
    };
    database.close();
    done
}

async fn here(
    database: &Database,
    settings: &Settings,
    words: &TantivyLexicalIndex,
    tell: impl Fn(&str) + Send + Sync,
) -> anyhow::Result<String> {
    let feed = DieselKnowledge::new(database.clone());
    if !settings.database_url().starts_with("sqlite:") {
        // Other servers have indexes of their own.
        feed.renew().await.context("the database cannot be written")?;
    }
    let mut told = 0;
    let mut progress = |so_far: Reindexed| {
        if so_far.items / TOLD_EVERY > told {
            told = so_far.items / TOLD_EVERY;
            tell(&format!("Files so far: {}, chunks: {}\n", so_far.items, so_far.chunks));
        }
    };
    let made = reindex(&feed, words, &mut progress).await.context("the search index could not be rebuilt")?;
    let Reindexed { items, chunks } = made.1;
    Ok(format!("The search index was rebuilt. Files: {items}, chunks: {chunks}.\n"))
}

async fn ask(database: &Database) -> anyhow::Result<String> {
    let feed = DieselKnowledge::new(database.clone());
    feed.renew().await.context("the database cannot be written")?;
    Ok("A server has the search index open and rebuilds it. Until then it serves the present one.\n"
        .to_owned())
}
