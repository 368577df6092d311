//! The columns of public keys.

use accounts_core::{ApiKey, Publication};
use diesel::dsl::exists;
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use serde::{Deserialize, Serialize};
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::rows::{from_json, to_json};
use crate::schema::api_keys;

/// The column `publication`. The page has a column of its own, since it is looked up.
#[derive(Deserialize, Serialize)]
struct PublicationColumn {
    agent: String,
    origins: Vec<String>,
    text: String,
}

/// The publication and the text of a key, from its columns.
pub(super) fn read(
    stored: Option<&str>,
    page: Option<String>,
) -> Result<(Option<Publication>, Option<String>), StoreError> {
    let Some(stored) = stored else { return Ok((None, None)) };
    let PublicationColumn { agent, origins, text } = from_json(stored)?;
    Ok((Some(Publication { agent, origins, page }), Some(text)))
}

/// The column `publication` of a key.
pub(super) fn stored(key: &ApiKey) -> Result<Option<String>, StoreError> {
    let Some(Publication { agent, origins, .. }) = &key.publication else { return Ok(None) };
    let text = key.public_text.clone().unwrap_or_default();
    to_json(&PublicationColumn { agent: agent.clone(), origins: origins.clone(), text }).map(Some)
}

/// The column `page` of a key.
pub(super) fn page(key: &ApiKey) -> Option<&str> {
    key.publication.as_ref()?.page.as_deref()
}

/// Checks that no other key has the page of this one, so that the error is not that of another unique column.
pub(super) fn check_page(connection: &mut AnyConnection, key: &ApiKey) -> Result<(), Failure> {
    let Some(page) = page(key) else { return Ok(()) };
    let others = api_keys::table.filter(api_keys::page.eq(page)).filter(api_keys::id.ne(&key.id));
    match diesel::select(exists(others)).get_result(connection)? {
        true => Err(StoreError::Taken("page").into()),
        false => Ok(()),
    }
}
