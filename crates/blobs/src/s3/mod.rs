//! Buckets of S3 and of compatible servers.

mod answer;
mod client;

use std::fmt;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use secrecy::{ExposeSecret as _, SecretString};

pub(crate) use answer::{sentence, to_blob_error};

/// Bytes of a part of a large blob, and the most that an upload holds in memory. S3 takes at least 5 MiB and at most
/// 10,000 parts, so a blob may have 78 GiB. All parts but the last have the same size, as some compatible servers
/// demand.
pub(crate) const PART_BYTES: usize = 8 << 20;
/// Time limit of a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// The pauses between attempts double from the first to the longest, with jitter.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Limits of requests to the service.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// Time limit of an attempt until its answer begins, and of silence within an answer.
    pub attempt: Duration,
    /// Time after which a failed request is not attempted again. So a request takes the sum of both at most.
    pub retry: Duration,
    /// Maximum number of attempts after the first.
    pub retries: usize,
}

impl Default for RequestLimits {
    /// A part of a large blob has 30 seconds, which needs 280 kB/s. An outage is reported after 50 seconds at most.
    fn default() -> Self {
        Self { attempt: Duration::from_secs(30), retry: Duration::from_secs(20), retries: 6 }
    }
}

/// Access to the service that has the bucket.
#[derive(Clone, Default)]
pub struct S3Access {
    /// URL of a compatible server; Amazon's when empty.
    pub endpoint: String,
    /// Region of the bucket, which signatures contain.
    pub region: String,
    /// Id of the access key.
    pub access_key_id: SecretString,
    /// The secret of the access key.
    pub secret_access_key: SecretString,
    /// Token of temporary credentials; empty for none.
    pub session_token: SecretString,
    /// Whether the bucket is in the path of URLs, rather than in the name of the host.
    pub path_style: bool,
    /// Whether an endpoint may be plain HTTP. On this machine it always may.
    pub allow_http: bool,
    /// Limits of requests.
    pub limits: RequestLimits,
}

impl fmt::Debug for S3Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Access").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl S3Access {
    /// A store for the whole bucket. Nothing is sent.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(crate) fn build(&self, bucket: &str) -> Result<AmazonS3, String> {
        let (key, secret) = (self.access_key_id.expose_secret(), self.secret_access_key.expose_secret());
        if key.is_empty() || secret.is_empty() {
            return Err("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set".to_owned());
        }
        let retry = RetryConfig {
            backoff: BackoffConfig { init_backoff: FIRST_PAUSE, max_backoff: LONGEST_PAUSE, base: 2.0 },
            max_retries: self.limits.retries,
            retry_timeout: self.limits.retry,
        };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(&self.region)
            .with_access_key_id(key)
            .with_secret_access_key(secret)
            .with_retry(retry)
            // Deleting one object is the operation that every compatible server has.
            .with_disable_bulk_delete(true)
            .with_virtual_hosted_style_request(!self.path_style)
            .with_client_options(ClientOptions::new().with_allow_http(true))
            .with_http_connector(
                client::Connector::new(CONNECT, self.limits.attempt).map_err(|error| error.to_string())?,
            );
        if !self.session_token.expose_secret().is_empty() {
            builder = builder.with_token(self.session_token.expose_secret());
        }
        if !self.endpoint.is_empty() {
            builder = builder.with_endpoint(self.address(bucket)?);
        }
        builder.build().map_err(|error| error.to_string())
    }

    /// The endpoint, with the bucket in its host unless that is in the path.
    fn address(&self, bucket: &str) -> Result<String, String> {
        let url: url::Url =
            self.endpoint.parse().map_err(|error| format!("the endpoint is not a URL: {error}"))?;
        let host = url.host_str().unwrap_or_default();
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err("the endpoint must have neither user nor query".to_owned());
        }
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http || is_loopback(&url) => {}
            "http" => {
                return Err("the endpoint is plain HTTP, which s3.allow_http must permit".to_owned());
            }
            _ => return Err("the endpoint must begin with https:// or http://".to_owned()),
        }
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let path = url.path().trim_end_matches('/');
        let host = if self.path_style { host.to_owned() } else { format!("{bucket}.{host}") };
        Ok(format!("{}://{host}{port}{path}", url.scheme()))
    }
}

fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(endpoint: &str) -> S3Access {
        S3Access { endpoint: endpoint.to_owned(), path_style: true, ..S3Access::default() }
    }

    #[test]
    fn an_endpoint_is_https_or_on_this_machine_or_permitted() {
        let of = |endpoint: &str| access(endpoint).address("files");
        assert_eq!(of("https://s3.example.com/"), Ok("https://s3.example.com".to_owned()));
        assert_eq!(of("http://127.0.0.1:9000"), Ok("http://127.0.0.1:9000".to_owned()));
        assert_eq!(of("http://[::1]:9000"), Ok("http://[::1]:9000".to_owned()));
        for wrong in ["http://s3.example.com", "ftp://x", "s3.example.com", "https://a:b@c", "https://c?x=1"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        let permitted = S3Access { allow_http: true, path_style: false, ..access("http://minio:9000") };
        assert_eq!(permitted.address("files"), Ok("http://files.minio:9000".to_owned()));
    }

    #[test]
    fn missing_keys_are_refused_and_keys_are_never_printed() {
        let error = access("").build("files").unwrap_err();
        assert!(error.contains("AWS_ACCESS_KEY_ID"), "{error}");
        let access =
            S3Access { secret_access_key: "s3cret".into(), access_key_id: "id".into(), ..access("") };
        assert!(!format!("{access:?}").contains("s3cret") && access.build("files").is_ok());
    }
}
