//! Conversions that every adapter needs.

use serde::Serialize;
use serde::de::DeserializeOwned;
use shared_core::{Author, StoreError, Timestamp, UserId};

use crate::failure::corrupt;
use crate::text_encoding::decode;

pub(crate) fn time(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).ok_or_else(|| corrupt(format!("{micros} is no time")))
}

pub(crate) fn optional_time(micros: Option<i64>) -> Result<Option<Timestamp>, StoreError> {
    micros.map(time).transpose()
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(corrupt)
}

pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.into()))
}

/// A stored count; a negative one is an error.
pub(crate) fn count<T: TryFrom<i64>>(stored: i64) -> Result<T, StoreError> {
    T::try_from(stored).ok().ok_or_else(|| corrupt(format!("{stored} is out of range")))
}

/// A count to store; larger ones than the column holds cannot occur within the limits.
pub(crate) fn stored_count<T: Into<u64>>(count: T) -> i64 {
    i64::try_from(count.into()).unwrap_or(i64::MAX)
}

pub(crate) fn author(id: String, name: String, email: String) -> Author {
    Author { id: UserId(id), name: decode(name), email: decode(email) }
}

/// A list index or another small number to store.
pub(crate) fn position(index: u32) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}
