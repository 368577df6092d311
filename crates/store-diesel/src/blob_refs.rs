//! Reference counts of blobs. Records with equal content in a workspace share one blob, which is deleted with
//! the last of them.

use diesel::dsl::sql;
use diesel::sql_types::Bool;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use files_core::BlobKey;
use shared_core::StoreError;

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, unique_violation_as};
use crate::rows::stored_count;
use crate::schema::blobs;

/// The blob for a new record with this content (SHA-256 and bytes): the existing one with its count
/// incremented, or `own`.
pub(crate) fn add_ref(
    connection: &mut AnyConnection,
    workspace: &str,
    own: &BlobKey,
    content: (&str, u64),
) -> Result<String, Failure> {
    if let Some(shared) = add_ref_to_existing(connection, workspace, content)? {
        return Ok(shared);
    }
    let insert = diesel::insert_into(blobs::table).values((
        blobs::key.eq(&own.0),
        blobs::workspace.eq(workspace),
        blobs::sha256.eq(content.0),
        blobs::bytes.eq(stored_count(content.1)),
        blobs::refs.eq(1_i64),
    ));
    prepared!(connection, inner => insert.execute(inner)).map_err(|error| {
        match unique_violation_as("blob")(error) {
            // Another transaction inserted the same content meanwhile.
            Failure::Store(StoreError::Taken(_)) => Failure::Retry,
            other => other,
        }
    })?;
    Ok(own.0.clone())
}

/// The workspace's blob with this content, its count incremented; `None` if there is none.
pub(crate) fn add_ref_to_existing(
    connection: &mut AnyConnection,
    workspace: &str,
    (sha256, bytes): (&str, u64),
) -> Result<Option<String>, Failure> {
    let twin = blobs::table
        .filter(blobs::workspace.eq(workspace))
        .filter(blobs::sha256.eq(sha256).and(blobs::bytes.eq(stored_count(bytes))));
    // The update locks the row, so that a concurrent deletion comes before or after it.
    let update = diesel::update(twin).set(blobs::refs.eq(blobs::refs + 1)).returning(blobs::key);
    Ok(prepared!(connection, inner => update.get_result(inner).optional())?)
}

/// Removes a reference. Returns the blob if this was the last one and its row is deleted.
pub(crate) fn remove_ref(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &str,
) -> Result<Option<BlobKey>, Failure> {
    let blob = || blobs::table.filter(blobs::workspace.eq(workspace).and(blobs::key.eq(key)));
    let update = diesel::update(blob()).set(blobs::refs.eq(blobs::refs - 1));
    prepared!(connection, inner => update.execute(inner))?;
    let delete = diesel::delete(blob().filter(blobs::refs.le(0)));
    let gone = prepared!(connection, inner => delete.execute(inner))?;
    Ok((gone > 0).then(|| BlobKey(key.to_owned())))
}

/// Deletes the rows of the workspace's unreferenced blobs and returns their keys.
pub(crate) fn delete_orphans(
    connection: &mut AnyConnection,
    workspace: &str,
) -> Result<Vec<BlobKey>, Failure> {
    // Written exactly as in the partial index.
    let orphaned = blobs::table.filter(blobs::workspace.eq(workspace)).filter(sql::<Bool>("refs <= 0"));
    let delete = diesel::delete(orphaned).returning(blobs::key);
    let gone: Vec<String> = prepared!(connection, inner => delete.load(inner))?;
    Ok(gone.into_iter().map(BlobKey).collect())
}
