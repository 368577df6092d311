//! Compares the search index with the database.

use std::collections::BTreeMap;
use std::path::Path;

use kb_core::IndexError;
use search_index::IndexContent;
use store_diesel::DatabaseInspection;

use super::problems::Problems;
use crate::settings::Settings;

/// Items read from the database at a time.
const PAGE: u32 = 10_000;

/// Compares the search index of the settings with their database. Returns a sentence about it.
///
/// # Errors
/// The problems, or when the database or the folder cannot be read.
pub(crate) fn check_search_index(settings: &Settings) -> anyhow::Result<String> {
    let mut database = DatabaseInspection::open(&settings.database_url())?;
    let mut problems = Problems::default();
    let text = check_index(&settings.index_folder(), &mut database, &mut problems)?;
    problems.report(text)
}

/// Compares the number of chunks of each item in the index with the database. Items that were changed after the last
/// change in the index are left out: the server adds them. Returns a sentence about the index.
///
/// # Errors
/// When the database or the folder cannot be read.
pub(super) fn check_index(
    folder: &Path,
    database: &mut DatabaseInspection,
    problems: &mut Problems,
) -> anyhow::Result<String> {
    // The index first: what the database has more is newer.
    let content = match IndexContent::read(folder) {
        Ok(Some(content)) => content,
        Ok(None) => return Ok("There is no search index; the server builds it when it starts.".to_owned()),
        Err(IndexError::Damaged(cause)) => {
            problems.add(format!("search index: it is damaged ({cause}); run `formwork reindex`"));
            return Ok(String::new());
        }
        Err(error) => return Err(error.into()),
    };
    let (latest, generation) = database.feed()?;
    if generation != content.mark.generation {
        return Ok("The search index is of an earlier generation; the server builds it again.".to_owned());
    }
    let stored = stored_chunks(database)?;
    let mut chunks = 0;
    for ((item, sequence), wanted) in &stored {
        let found = content.chunks.get(&(*item, *sequence)).copied().unwrap_or_default();
        chunks += found;
        if *sequence <= content.mark.sequence && found != *wanted {
            problems.add(format!(
                "search index: item {item} has {found} chunks instead of {wanted}; run `formwork reindex`"
            ));
        }
    }
    // Deletions that the index does not have yet are not problems either.
    if latest == content.mark.sequence {
        for (item, sequence) in content.chunks.keys().filter(|key| !stored.contains_key(*key)) {
            problems.add(format!(
                "search index: item {item} of change {sequence} is not in the database; run `formwork reindex`"
            ));
        }
    }
    let behind = latest.saturating_sub(content.mark.sequence);
    Ok(format!("The search index has all chunks: {chunks}. Changes left to add: {behind}."))
}

/// The number of chunks by number and sequence number of the item.
fn stored_chunks(database: &mut DatabaseInspection) -> anyhow::Result<BTreeMap<(i64, i64), u64>> {
    let (mut stored, mut after) = (BTreeMap::new(), 0);
    loop {
        let page = database.findable_items(after, PAGE)?;
        let Some((last, ..)) = page.last() else { return Ok(stored) };
        after = *last;
        let with_chunks = page.into_iter().filter(|(_, _, chunks)| *chunks > 0);
        stored.extend(with_chunks.map(|(item, sequence, chunks)| ((item, sequence), chunks)));
    }
}
