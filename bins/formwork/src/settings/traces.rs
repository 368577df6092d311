//! Settings of the traces.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fetch::Switch;
use super::models::{Secret, check_headers, check_url};

/// Traces for operators, exported by OTLP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TracesSettings {
    /// Base URL of the collector; no traces when empty.
    pub endpoint: String,
    /// Headers of every export.
    pub headers: BTreeMap<String, Secret>,
    /// The attribute `service.name`.
    pub service_name: String,
    /// Share of the traces that begin here and are recorded, 0 to 1.
    pub sample_ratio: f64,
    /// Whether calls of model providers carry `traceparent`.
    pub send_to_providers: Switch,
}

impl Default for TracesSettings {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            headers: BTreeMap::new(),
            service_name: "formwork".to_owned(),
            sample_ratio: 1.0,
            send_to_providers: Switch::Off,
        }
    }
}

impl TracesSettings {
    /// Whether traces are exported.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.endpoint.is_empty()
    }

    /// Validates the settings.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.sample_ratio) {
            return Err("'traces.sample_ratio' must be from 0 to 1".to_owned());
        }
        if self.service_name.trim().is_empty() {
            return Err("'traces.service_name' must not be empty".to_owned());
        }
        check_headers("traces.headers", &self.headers)?;
        if self.is_on() { check_url("traces.endpoint", &self.endpoint) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_are_refused_with_their_key_and_without_a_secret() {
        let endpoint = |endpoint: &str| TracesSettings { endpoint: endpoint.into(), ..Default::default() };
        let ratio = |sample_ratio| TracesSettings { sample_ratio, ..Default::default() };
        let broken = BTreeMap::from([("x-key".to_owned(), Secret::from("s3cret\n".to_owned()))]);
        for (settings, key) in [
            (endpoint("127.0.0.1:4318"), "'traces.endpoint'"),
            (endpoint("http://me:s3cret@collector:4318"), "'traces.endpoint'"),
            (endpoint("http://collector:4318?key=s3cret"), "'traces.endpoint'"),
            (ratio(1.5), "'traces.sample_ratio'"),
            (ratio(f64::NAN), "'traces.sample_ratio'"),
            (TracesSettings { headers: broken, ..Default::default() }, "'traces.headers'"),
            (TracesSettings { service_name: " ".into(), ..Default::default() }, "'traces.service_name'"),
        ] {
            let told = settings.check().unwrap_err();
            assert!(told.contains(key) && !told.contains("s3cret"), "{told}");
        }
        assert_eq!(endpoint("http://127.0.0.1:4318").check(), Ok(()));
        assert_eq!(endpoint("").check(), Ok(()));
    }
}
