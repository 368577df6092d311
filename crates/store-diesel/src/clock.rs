//! The clock of the database. Leases and due times are compared across servers, so all servers must have one time.

use std::time::{Duration, Instant};

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _};
use parking_lot::RwLock;
use shared_core::{Clock, SystemClock, Timestamp};

use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::rows::time;

/// Longest answer of the database whose time is used. A slower one would be off by up to half of it.
const MAX_ROUND_TRIP: Duration = Duration::from_millis(200);

/// The time of a PostgreSQL server, or of the system for SQLite, as of the last reading and by the monotonic clock since.
/// It never goes back, whatever becomes of the clocks.
#[derive(Debug)]
pub(crate) struct DatabaseClock(RwLock<ClockSample>);

#[derive(Clone, Copy, Debug)]
struct ClockSample {
    time: Timestamp,
    at: Instant,
}

impl ClockSample {
    fn time_at(self, now: Instant) -> Timestamp {
        let elapsed = now.saturating_duration_since(self.at).as_micros();
        let micros = self.time.micros().saturating_add(i64::try_from(elapsed).unwrap_or(i64::MAX));
        Timestamp::from_micros(micros).unwrap_or(self.time)
    }
}

impl DatabaseClock {
    /// A clock that now shows `time`.
    pub(crate) fn new(time: Timestamp) -> Self {
        Self(RwLock::new(ClockSample { time, at: Instant::now() }))
    }

    /// Takes over the time that the database had at some moment between `asked` and now, unless the clock is ahead of it.
    pub(crate) fn adjust(&self, time: Timestamp, asked: Instant) {
        let round_trip = asked.elapsed();
        if round_trip > MAX_ROUND_TRIP {
            return;
        }
        let read = ClockSample { time, at: asked + round_trip / 2 };
        let mut present = self.0.write();
        if read.time_at(read.at) > present.time_at(read.at) {
            *present = read;
        }
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> Timestamp {
        self.0.read().time_at(Instant::now())
    }
}

#[derive(QueryableByName)]
struct Micros {
    #[diesel(sql_type = BigInt)]
    micros: i64,
}

/// The present time of the database.
pub(crate) fn database_time(connection: &mut AnyConnection) -> Result<Timestamp, Failure> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(SystemClock.now()),
        AnyConnection::Postgres(inner) => {
            let query = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS micros";
            let Micros { micros } = diesel::sql_query(query).get_result(inner)?;
            Ok(time(micros)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn the_clock_follows_a_database_that_is_ahead_and_never_goes_back() {
        let clock = DatabaseClock::new(at(1_000));
        clock.adjust(at(1_045), Instant::now());
        let ahead = clock.now();
        assert!(ahead >= at(1_045) && ahead < at(1_100));
        clock.adjust(at(900), Instant::now());
        assert!(clock.now() >= ahead);
    }

    #[test]
    fn a_slow_answer_is_not_used() {
        let clock = DatabaseClock::new(at(1_000));
        let asked = Instant::now().checked_sub(MAX_ROUND_TRIP * 2).unwrap();
        clock.adjust(at(5_000), asked);
        assert!(clock.now() < at(1_100));
    }

    #[test]
    fn time_goes_on_between_readings() {
        let start = Instant::now();
        let reading = ClockSample { time: at(10), at: start };
        assert_eq!(reading.time_at(start + Duration::from_secs(5)), at(15));
    }
}
