//! Vectors, stored by text and model for a whole workspace.

use std::sync::Arc;

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::ContentHash;
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::failure::{Failure, corrupt};
use crate::schema::kb_vectors;
use crate::text_encoding::encode;

/// Rows per insert statement on PostgreSQL; each takes four of its 65,535 parameters.
const INSERT_BATCH: usize = 1_000;

/// The vectors of a workspace and a stored model.
macro_rules! of_kind {
    ($workspace:expr, $model:expr) => {
        kb_vectors::table.filter(kb_vectors::workspace.eq($workspace).and(kb_vectors::model.eq($model)))
    };
}
pub(super) use of_kind;

/// A stored vector.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = kb_vectors)]
pub(super) struct VectorRow {
    workspace: String,
    model: String,
    hash: Vec<u8>,
    vector: Vec<u8>,
}

/// The rows of vectors in a fixed order, for concurrent writers of the same ones.
pub(super) fn rows(workspace: &str, model: &str, vectors: &[kb_core::Vector]) -> Vec<VectorRow> {
    let row = |(hash, vector): &kb_core::Vector| VectorRow {
        workspace: workspace.to_owned(),
        model: encode(model).into_owned(),
        hash: hash.0.to_vec(),
        vector: vector.iter().flat_map(|number| number.to_le_bytes()).collect(),
    };
    let mut rows: Vec<VectorRow> = vectors.iter().map(row).collect();
    rows.sort_unstable_by(|one, other| one.hash.cmp(&other.hash));
    rows
}

/// Decodes what [`rows`] encoded.
pub(super) fn read(bytes: &[u8]) -> Result<Arc<[f32]>, StoreError> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(corrupt("a vector has a broken number"));
    }
    Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

/// Stores vectors. Existing ones are first unmarked as unneeded, so that they are not deleted meanwhile.
pub(super) fn insert_missing(connection: &mut AnyConnection, rows: &[VectorRow]) -> Result<(), Failure> {
    let Some(VectorRow { workspace, model, .. }) = rows.first() else { return Ok(()) };
    match connection {
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                let own = of_kind!(workspace, model).filter(kb_vectors::hash.eq(&row.hash));
                let noted = own.filter(kb_vectors::unneeded.is_not_null());
                diesel::update(noted).set(kb_vectors::unneeded.eq(None::<i64>)).execute(inner)?;
                diesel::insert_into(kb_vectors::table).values(row).on_conflict_do_nothing().execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                let names: Vec<&[u8]> = part.iter().map(|row| row.hash.as_slice()).collect();
                let noted = of_kind!(workspace, model)
                    .filter(kb_vectors::hash.eq_any(names).and(kb_vectors::unneeded.is_not_null()));
                diesel::update(noted).set(kb_vectors::unneeded.eq(None::<i64>)).execute(inner)?;
                diesel::insert_into(kb_vectors::table)
                    .values(part)
                    .on_conflict_do_nothing()
                    .execute(inner)?;
            }
        }
    }
    Ok(())
}

/// The texts that have a vector of the model, and whether it is marked as unneeded.
pub(super) fn find_known(
    connection: &mut AnyConnection,
    (workspace, model): (&str, &str),
    texts: &[ContentHash],
) -> Result<Vec<(ContentHash, bool)>, Failure> {
    let columns = (kb_vectors::hash, kb_vectors::unneeded.is_not_null());
    let own = || of_kind!(workspace, model).select(columns);
    let mut found: Vec<(Vec<u8>, bool)> = Vec::new();
    match connection {
        AnyConnection::Postgres(inner) => {
            let wanted: Vec<&[u8]> = texts.iter().map(|hash| hash.0.as_slice()).collect();
            found = own().filter(kb_vectors::hash.eq_any(wanted)).load(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for hash in texts {
                let query = own().filter(kb_vectors::hash.eq(hash.0.as_slice()));
                found.extend(query.get_result::<(Vec<u8>, bool)>(inner).optional()?);
            }
        }
    }
    found.into_iter().map(|(hash, noted)| Ok((name(hash)?, noted))).collect()
}

/// Unmarks vectors as unneeded. Returns the existing ones.
pub(super) fn clear_unneeded(
    connection: &mut AnyConnection,
    (workspace, model): (&str, &str),
    texts: &[ContentHash],
) -> Result<Vec<ContentHash>, Failure> {
    let none = kb_vectors::unneeded.eq(None::<i64>);
    let mut there: Vec<Vec<u8>> = Vec::new();
    match connection {
        AnyConnection::Postgres(inner) => {
            let wanted: Vec<&[u8]> = texts.iter().map(|hash| hash.0.as_slice()).collect();
            let own = of_kind!(workspace, model).filter(kb_vectors::hash.eq_any(wanted));
            there = diesel::update(own).set(none).returning(kb_vectors::hash).get_results(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for hash in texts {
                let own = of_kind!(workspace, model).filter(kb_vectors::hash.eq(hash.0.as_slice()));
                if diesel::update(own).set(none).execute(inner)? > 0 {
                    there.push(hash.0.to_vec());
                }
            }
        }
    }
    Ok(there.into_iter().map(name).collect::<Result<_, _>>()?)
}

/// Decodes the hash of a text.
pub(super) fn name(stored: Vec<u8>) -> Result<ContentHash, StoreError> {
    let name = <[u8; 16]>::try_from(stored).ok();
    name.map(ContentHash).ok_or_else(|| corrupt("a text's name has another length"))
}
