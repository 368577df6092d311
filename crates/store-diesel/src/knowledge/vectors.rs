//! Vectors, kept by text and model for a whole workspace.

use std::collections::HashSet;
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
use crate::text::encode;

/// Rows inserted by one statement on PostgreSQL; each takes four of its 65,535 parameters.
const INSERTED_TOGETHER: usize = 1_000;

/// A vector as it is stored.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = kb_vectors)]
pub(super) struct VectorRow {
    workspace: String,
    model: String,
    hash: Vec<u8>,
    vector: Vec<u8>,
}

/// The rows of vectors, in one order for all who keep the same ones at the same time.
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

/// Reads what [`rows`] made.
pub(super) fn read(bytes: &[u8]) -> Result<Arc<[f32]>, StoreError> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(corrupt("a vector has a broken number"));
    }
    Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

pub(super) fn keep(connection: &mut AnyConnection, rows: &[VectorRow]) -> Result<(), Failure> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(kb_vectors::table).values(row).on_conflict_do_nothing().execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERTED_TOGETHER) {
                diesel::insert_into(kb_vectors::table)
                    .values(part)
                    .on_conflict_do_nothing()
                    .execute(inner)?;
            }
        }
    }
    Ok(())
}

/// Which of the texts have a vector of the model.
pub(super) fn embedded(
    connection: &mut AnyConnection,
    workspace: &str,
    model: &str,
    texts: &[ContentHash],
) -> Result<HashSet<ContentHash>, Failure> {
    let model = encode(model);
    let own = || {
        kb_vectors::table
            .filter(kb_vectors::workspace.eq(workspace).and(kb_vectors::model.eq(model.as_ref())))
            .select(kb_vectors::hash)
    };
    let mut found: Vec<Vec<u8>> = Vec::new();
    match connection {
        AnyConnection::Postgres(inner) => {
            let wanted: Vec<&[u8]> = texts.iter().map(|hash| hash.0.as_slice()).collect();
            found = own().filter(kb_vectors::hash.eq_any(wanted)).load(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for hash in texts {
                let query = own().filter(kb_vectors::hash.eq(hash.0.as_slice()));
                found.extend(query.get_result::<Vec<u8>>(inner).optional()?);
            }
        }
    }
    let read = |hash: Vec<u8>| {
        let hash = <[u8; 16]>::try_from(hash).ok();
        hash.map(ContentHash).ok_or_else(|| corrupt("a text's name has another length").into())
    };
    found.into_iter().map(read).collect()
}
