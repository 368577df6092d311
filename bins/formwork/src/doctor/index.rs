//! The check of the search index.

use super::folder::folder;
use super::{CheckResult, CheckStatus};
use crate::backup::check_search_index;
use crate::settings::Settings;

/// The folder, and the content of the index that is in it. A database that cannot be read has a result of its own.
pub(super) async fn search_index(settings: &Settings) -> CheckResult {
    let name = "search index";
    let place = folder(name, &settings.index_folder());
    let is_empty =
        || std::fs::read_dir(settings.index_folder()).map_or(true, |mut found| found.next().is_none());
    if place.state == CheckStatus::Failed || is_empty() {
        return place;
    }
    let settings = settings.clone();
    let examined = tokio::task::spawn_blocking(move || check_search_index(&settings));
    match examined.await {
        Ok(Err(error)) => {
            CheckResult::new(name, CheckStatus::Warning, format!("{error:#}.").replace('\n', "; "))
        }
        Ok(Ok(_)) => place,
        Err(error) => {
            CheckResult::new(name, CheckStatus::Warning, format!("It could not be checked: {error}."))
        }
    }
}
