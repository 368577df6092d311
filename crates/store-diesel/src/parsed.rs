//! The adapter of the cache of parsed documents.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use document::{Document, ParsedDocuments};
use shared_core::{Scope, StoreError};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, unique_violation_as};
use crate::rows::{from_json, to_json};
use crate::schema::parsed_documents as parsed;

/// Parsed documents in the database.
#[derive(Clone, Debug)]
pub struct DieselParsedDocuments(Database);

impl DieselParsedDocuments {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database.without_audit())
    }
}

fn stored_version(version: u32) -> i32 {
    i32::try_from(version).unwrap_or(i32::MAX)
}

#[async_trait]
impl ParsedDocuments for DieselParsedDocuments {
    async fn find(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError> {
        let (workspace, sha256) = (scope.workspace.0.clone(), sha256.to_owned());
        let find = move |connection: &mut AnyConnection| {
            let query = parsed::table
                .filter(parsed::workspace.eq(&workspace).and(parsed::sha256.eq(&sha256)))
                .filter(parsed::parser_version.eq(stored_version(version)))
                .select(parsed::document);
            let found: Option<String> = prepared!(connection, inner => query.get_result(inner).optional())?;
            Ok(found.map(|json| from_json::<Document>(&json).map(Arc::new)).transpose()?)
        };
        self.0.query(find).await
    }

    async fn store(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
        document: &Document,
    ) -> Result<(), StoreError> {
        let (workspace, sha256) = (scope.workspace.0.clone(), sha256.to_owned());
        let json = to_json(document)?;
        let store = move |connection: &mut AnyConnection| {
            let same = parsed::table
                .filter(parsed::workspace.eq(&workspace).and(parsed::sha256.eq(&sha256)))
                .filter(parsed::parser_version.eq(stored_version(version)));
            if diesel::select(exists(same)).get_result(connection)? {
                return Ok(());
            }
            diesel::insert_into(parsed::table)
                .values((
                    parsed::workspace.eq(&workspace),
                    parsed::sha256.eq(&sha256),
                    parsed::parser_version.eq(stored_version(version)),
                    parsed::document.eq(&json),
                ))
                .execute(connection)
                .map_err(|error| match unique_violation_as("document")(error) {
                    // Another transaction stored it meanwhile; the first one is kept.
                    Failure::Store(StoreError::Taken(_)) => Failure::Retry,
                    other => other,
                })?;
            Ok(())
        };
        self.0.write(store).await
    }
}
