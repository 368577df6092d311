//! Sets of groups with true records, and reports.

use std::collections::BTreeMap;

use delta_core::{DocumentRef, Run};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Author, Timestamp};

use crate::score::{Comparison, Report};

/// A set of groups of documents with their true records. Groups are only added, so that the group of a run and the group
/// of its set have the same index.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationSet {
    /// Identifier (`set_…`).
    pub id: String,
    /// Display name.
    pub name: String,
    /// The form whose fields the records have.
    pub form_id: String,
    /// Weights of fields, by their JSON pointer without indexes; 1 for others, 0 leaves a field out.
    pub weights: BTreeMap<String, f64>,
    /// Number of groups.
    pub groups: u32,
    /// Who made it.
    pub author: Author,
    /// When it was made.
    pub created: Timestamp,
}

/// Values of a new set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewEvaluationSet {
    /// Display name.
    pub name: String,
    /// The form whose fields the records have.
    pub form_id: String,
    /// Weights of fields.
    pub weights: BTreeMap<String, f64>,
}

/// A group of documents with its true record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueGroup {
    /// What is extracted from.
    pub documents: Vec<DocumentRef>,
    /// The true record. A field that it does not have is not known, and is not compared.
    pub record: Map<String, Value>,
}

/// The scores of a run over a set.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationReport {
    /// The evaluation itself.
    pub run: Run,
    /// How well its records agree with the truth.
    pub report: Report,
    /// How it differs from an earlier run, if one was named.
    pub comparison: Option<Comparison>,
}
