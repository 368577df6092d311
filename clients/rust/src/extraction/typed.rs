//! Records as values of a type.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::outcome::Extraction;
use crate::error::{Error, Result};
use crate::fit;

impl Extraction<Value> {
    /// The same with its value as a type that has this JSON Schema.
    pub(crate) fn typed<T: DeserializeOwned>(self, schema: &Value) -> Result<Extraction<T>> {
        let fitted = fit::fitted(self.value.clone(), schema);
        let value: T = match serde_path_to_error::deserialize(fitted) {
            Ok(value) => value,
            Err(error) => {
                let path = pointer(error.path());
                let message = error.into_inner().to_string();
                return Err(Error::Record { path, message, extraction: Box::new(self) });
            }
        };
        let Self { record, evidence, conflicts, errors, warnings, agent, sid, .. } = self;
        Ok(Extraction { value, record, evidence, conflicts, errors, warnings, agent, sid })
    }
}

fn pointer(path: &Path) -> String {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        // The name of a variant is no place in the record.
        Segment::Enum { .. } | Segment::Unknown => String::new(),
    };
    path.iter().map(step).collect()
}
