//! Settings of the service that has the bucket of blobs.

use blobs::{RequestLimits, S3Access};
use serde::{Deserialize, Serialize};

use super::fetch::Switch;
use super::models::Secret;

/// Access to S3 or a compatible service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3Settings {
    /// URL of a compatible service; Amazon's when empty.
    pub endpoint: String,
    /// Region of the bucket, which signatures contain.
    pub region: String,
    /// Id of the access key.
    pub access_key_id: Secret,
    /// The secret of the access key.
    pub secret_access_key: Secret,
    /// Token of temporary credentials.
    pub session_token: Secret,
    /// Whether the bucket is in the path of URLs.
    pub path_style: Switch,
    /// Whether the endpoint may be plain HTTP.
    pub allow_http: Switch,
}

impl Default for S3Settings {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            region: "us-east-1".to_owned(),
            access_key_id: Secret::default(),
            secret_access_key: Secret::default(),
            session_token: Secret::default(),
            path_style: Switch::On,
            allow_http: Switch::Off,
        }
    }
}

impl From<&S3Settings> for S3Access {
    fn from(settings: &S3Settings) -> Self {
        Self {
            endpoint: settings.endpoint.clone(),
            region: settings.region.clone(),
            access_key_id: settings.access_key_id.0.clone(),
            secret_access_key: settings.secret_access_key.0.clone(),
            session_token: settings.session_token.0.clone(),
            path_style: settings.path_style == Switch::On,
            allow_http: settings.allow_http == Switch::On,
            limits: RequestLimits::default(),
        }
    }
}
