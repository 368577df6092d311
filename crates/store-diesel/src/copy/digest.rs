//! Digests of tables that do not depend on the order of rows, nor on how a database writes JSON.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_core::StoreError;

use crate::failure::corrupt;

/// The content of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDigest {
    /// Name of the table.
    pub table: String,
    /// Number of rows.
    pub rows: u64,
    /// Sum of the SHA-256 of all rows, in words that wrap around.
    sum: [u64; 4],
}

#[derive(Debug, Default)]
pub(super) struct Accumulator {
    rows: u64,
    sum: [u64; 4],
}

impl Accumulator {
    /// Adds a row, a JSON object.
    pub(super) fn add(&mut self, row: &str) -> Result<(), StoreError> {
        let mut row: Value = serde_json::from_str(row).map_err(corrupt)?;
        // The databases may list the columns in different orders.
        if let Some(columns) = row.as_object_mut() {
            columns.sort_keys();
        }
        let hash = Sha256::digest(row.to_string());
        for (sum, word) in self.sum.iter_mut().zip(hash.as_chunks::<8>().0) {
            *sum = sum.wrapping_add(u64::from_be_bytes(*word));
        }
        self.rows += 1;
        Ok(())
    }

    pub(super) fn into_digest(self, table: &str) -> TableDigest {
        TableDigest { table: table.to_owned(), rows: self.rows, sum: self.sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[&str]) -> TableDigest {
        let mut sum = Accumulator::default();
        rows.iter().for_each(|row| sum.add(row).unwrap());
        sum.into_digest("t")
    }

    #[test]
    fn order_and_spelling_do_not_matter_and_values_do() {
        let one = digest(&[r#"{"a":1,"b":"\u00e4"}"#, r#"{"a":2,"b":null}"#]);
        assert_eq!(one, digest(&[r#"{ "b" : null, "a" : 2 }"#, r#"{"b":"ä","a":1}"#]));
        assert_ne!(one, digest(&[r#"{"a":1,"b":"ä"}"#, r#"{"a":2,"b":""}"#]));
        assert_ne!(one, digest(&[r#"{"a":1,"b":"ä"}"#]));
    }
}
