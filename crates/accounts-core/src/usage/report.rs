//! Reports of usage over days.

use shared_core::Violation;

use super::{Day, Totals, UsageError};

/// Days of a report at most.
pub const MAX_DAYS: i32 = 366;
/// Rows of a report at most: those with the highest cost. The total covers all groups.
pub const MAX_ROWS: usize = 1_000;
/// Days of a report without a start.
const DEFAULT_DAYS: i32 = 30;

/// The grouping of a report's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// A model.
    Model,
    /// A key.
    Key,
    /// A day.
    Day,
}

/// The parameters of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportQuery {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// The grouping of the rows.
    pub by: Grouping,
    /// Only this model.
    pub model: Option<String>,
    /// Only the key of this identifier.
    pub key: Option<String>,
}

impl ReportQuery {
    /// The days from `from` to `to`, both included. `to` defaults to today, `from` to 30 days before the end.
    ///
    /// # Errors
    /// When `from` is after `to`, or the range has more than [`MAX_DAYS`] days.
    pub fn for_days(
        from: Option<Day>,
        to: Option<Day>,
        today: Day,
        by: Grouping,
    ) -> Result<Self, UsageError> {
        // A report that starts after today ends on the day that it starts.
        let to = to.unwrap_or(from.map_or(today, |from| today.max(from)));
        let from = from.unwrap_or(to.plus(1 - DEFAULT_DAYS));
        let days = i64::from(to.0) - i64::from(from.0) + 1;
        let refused = |message: String| Err(UsageError::Invalid(Violation::new("?from", message)));
        if days < 1 {
            return refused(format!("'from' must not be after 'to', which is {to}"));
        }
        if days > i64::from(MAX_DAYS) {
            return refused(format!("'from' must be at most {MAX_DAYS} days before the end, which is {to}"));
        }
        Ok(Self { from, to, by, model: None, key: None })
    }
}

/// The group of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// This model.
    Model(String),
    /// The key with this identifier; `None` for calls of the service itself.
    Key(Option<String>),
    /// This day.
    Day(Day),
}

/// The usage of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// The group.
    pub group: Group,
    /// Its totals.
    pub totals: Totals,
}

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// At most [`MAX_ROWS`]. Days are in order; keys and models are sorted by cost, then requests (both
    /// descending), then name.
    pub rows: Vec<ReportRow>,
    /// The sum over all groups.
    pub total: Totals,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_over_thirty_days_unless_told_otherwise() {
        let over = |from: Option<i32>, to: Option<i32>| {
            let query = ReportQuery::for_days(from.map(Day), to.map(Day), Day(100), Grouping::Model);
            query.map(|query| (query.from.0, query.to.0)).map_err(|error| error.to_string())
        };
        assert_eq!(over(None, None), Ok((71, 100)));
        assert_eq!(over(Some(90), None), Ok((90, 100)));
        assert_eq!(over(None, Some(50)), Ok((21, 50)));
        assert_eq!(over(Some(200), None), Ok((200, 200)));
        assert_eq!(over(Some(0), Some(365)), Ok((0, 365)));
        assert_eq!(
            over(Some(2), Some(1)),
            Err("'from' must not be after 'to', which is 1970-01-02".to_owned())
        );
        assert!(over(Some(0), Some(366)).unwrap_err().contains("at most 366 days"));
        assert!(over(Some(i32::MIN), Some(i32::MAX)).is_err());
    }
}
