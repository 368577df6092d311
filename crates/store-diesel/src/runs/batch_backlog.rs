//! The open batches by provider, for operators: of all workspaces.

use diesel::dsl::{count_star, min};
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use gen_core::{ModelId, Provider};
use shared_core::{StoreError, Timestamp};

use super::DieselRuns;
use super::batch_rows::STEPS;
use crate::connection::{AnyConnection, prepared};
use crate::rows::count;
use crate::schema::batches;

/// The open batches of a provider in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchBacklog {
    /// Whose batches they are.
    pub provider: Provider,
    /// `sealed`, `submitting`, `submitted` or `cancelling`.
    pub state: &'static str,
    /// Their number.
    pub batches: u64,
    /// Seconds since the oldest of them was made.
    pub oldest_seconds: f64,
}

impl DieselRuns {
    /// The open batches by provider and state, without those that have none.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn batch_backlog(&self, now: Timestamp) -> Result<Vec<BatchBacklog>, StoreError> {
        let read = move |connection: &mut AnyConnection| {
            let query = batches::table
                .group_by((batches::model, batches::step))
                .order((batches::model.asc(), batches::step.asc()))
                .select((batches::model, batches::step, count_star(), min(batches::created)));
            let rows: Vec<(String, String, i64, Option<i64>)> =
                prepared!(connection, inner => query.load(inner))?;
            let mut all = Vec::new();
            for (model, step, batches, oldest) in rows {
                let oldest = (now.micros() - oldest.unwrap_or(now.micros())).max(0) as f64 / 1e6;
                // A row of a later version has a provider or step that this one does not know.
                let state = STEPS.into_iter().find(|known| *known == step);
                let Some((model, state)) = model.parse::<ModelId>().ok().zip(state) else { continue };
                add(
                    &mut all,
                    BatchBacklog {
                        provider: model.provider,
                        state,
                        batches: count(batches)?,
                        oldest_seconds: oldest,
                    },
                );
            }
            Ok(all)
        };
        self.0.read(read).await
    }
}

/// Adds the batches of a model to those of its provider.
fn add(all: &mut Vec<BatchBacklog>, found: BatchBacklog) {
    let same = |known: &&mut BatchBacklog| (known.provider, known.state) == (found.provider, found.state);
    match all.iter_mut().find(same) {
        Some(known) => {
            known.batches += found.batches;
            known.oldest_seconds = known.oldest_seconds.max(found.oldest_seconds);
        }
        None => all.push(found),
    }
}
