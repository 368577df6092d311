//! The JSON shape of a form's gate.

use forms_core::FormGate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an evaluation of a version must fulfil.
#[derive(Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "FormGate")]
pub(super) struct FormGateRecord {
    /// The evaluation set, one of the form.
    evaluation_set: String,
    /// Least share of right values.
    #[schemars(range(min = 0.0, max = 1.0))]
    minimum: f64,
}

impl From<FormGate> for FormGateRecord {
    fn from(FormGate { evaluation_set, minimum }: FormGate) -> Self {
        Self { evaluation_set, minimum }
    }
}

impl From<FormGateRecord> for FormGate {
    fn from(FormGateRecord { evaluation_set, minimum }: FormGateRecord) -> Self {
        Self { evaluation_set, minimum }
    }
}
