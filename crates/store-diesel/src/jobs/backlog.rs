//! Sums of the jobs by queue, for operators: of all workspaces.

use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use shared_core::{StoreError, Timestamp};

use super::DieselJobs;
use crate::connection::AnyConnection;
use crate::rows::count;

/// The jobs of a queue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobBacklog {
    /// Its name, such as `delta`.
    pub queue: String,
    /// Jobs under a lease.
    pub running: u64,
    /// Jobs that can be claimed.
    pub due: u64,
    /// Jobs that are due later.
    pub delayed: u64,
    /// Seconds since the oldest due job is due; 0 if none is.
    pub oldest_seconds: f64,
}

#[derive(QueryableByName)]
struct BacklogRow {
    #[diesel(sql_type = Text)]
    queue: String,
    #[diesel(sql_type = BigInt)]
    running: i64,
    #[diesel(sql_type = BigInt)]
    due: i64,
    #[diesel(sql_type = BigInt)]
    delayed: i64,
    #[diesel(sql_type = BigInt)]
    oldest: i64,
}

/// The due time of a leased job is the end of its lease. The time is inlined as a number: the databases name parameters
/// differently.
fn query(now: i64) -> String {
    format!(
        "SELECT queue, \
         CAST(SUM(CASE WHEN ready > {now} AND worker IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT) AS running, \
         CAST(SUM(CASE WHEN ready <= {now} THEN 1 ELSE 0 END) AS BIGINT) AS due, \
         CAST(SUM(CASE WHEN ready > {now} AND worker IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS delayed, \
         CAST(MIN(ready) AS BIGINT) AS oldest FROM jobs GROUP BY queue ORDER BY queue"
    )
}

impl DieselJobs {
    /// The jobs of each queue that has any. It reads every job.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn backlog(&self, now: Timestamp) -> Result<Vec<JobBacklog>, StoreError> {
        let read = move |connection: &mut AnyConnection| {
            let rows: Vec<BacklogRow> = sql_query(query(now.micros())).load(connection)?;
            let backlog = |row: BacklogRow| {
                let waited = if row.due > 0 { (now.micros() - row.oldest).max(0) } else { 0 };
                Ok(JobBacklog {
                    queue: row.queue,
                    running: count(row.running)?,
                    due: count(row.due)?,
                    delayed: count(row.delayed)?,
                    oldest_seconds: waited as f64 / 1e6,
                })
            };
            rows.into_iter().map(backlog).collect()
        };
        self.database.read(read).await
    }
}
