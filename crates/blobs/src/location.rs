//! Where blobs are: a folder, or a bucket with a prefix.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The place of the blobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobLocation {
    /// A folder of this machine, or one that is mounted.
    Folder(PathBuf),
    /// `s3://<bucket>/<prefix>`.
    Bucket {
        /// Name of the bucket.
        bucket: String,
        /// Start of all keys, without slashes at its ends; empty for the whole bucket.
        prefix: String,
    },
}

/// A location that cannot be one. `Display` is one sentence for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is neither a folder, nor file:///folder, nor s3://bucket/prefix: {1}")]
pub struct LocationError(String, &'static str);

impl FromStr for BlobLocation {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        // Text that may hold a password (`s3://key:secret@bucket`) is not repeated.
        let invalid = |reason| {
            let shown = text.rsplit_once('@').map_or_else(
                || text.to_owned(),
                |(start, end)| {
                    format!("{}://<redacted>@{end}", start.split("://").next().unwrap_or_default())
                },
            );
            LocationError(shown, reason)
        };
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(Self::Folder(PathBuf::from(text)));
        };
        match scheme {
            "file" if rest.starts_with('/') => Ok(Self::Folder(PathBuf::from(rest))),
            "file" => Err(invalid("a folder after file:// begins with a slash")),
            "s3" => {
                let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
                if !is_bucket(bucket) {
                    let rule = "the name of a bucket has 3 to 63 characters: small letters, digits, dots and hyphens";
                    return Err(invalid(rule));
                }
                let prefix = prefix.trim_matches('/');
                if !is_prefix(prefix) {
                    let rule =
                        "a prefix has letters, digits, and the characters - _ . between single slashes";
                    return Err(invalid(rule));
                }
                Ok(Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
            }
            _ => Err(invalid("the scheme is not known")),
        }
    }
}

/// The rules of S3 for names, without those on addresses and reserved starts, which the service checks.
fn is_bucket(name: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    (3..=63).contains(&name.len()) && name.bytes().all(allowed) && !name.starts_with(['.', '-'])
}

/// Narrower than S3: other characters are encoded differently by compatible servers.
fn is_prefix(prefix: &str) -> bool {
    let part = |part: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !part.is_empty() && part != "." && part != ".." && part.bytes().all(allowed)
    };
    prefix.is_empty() || prefix.split('/').all(part)
}

impl fmt::Display for BlobLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { bucket, prefix } if prefix.is_empty() => write!(f, "s3://{bucket}"),
            Self::Bucket { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_a_folder_or_a_bucket_with_a_prefix() {
        let bucket = |bucket: &str, prefix: &str| BlobLocation::Bucket {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        };
        for (text, location) in [
            ("data/blobs", BlobLocation::Folder("data/blobs".into())),
            ("file:///data", BlobLocation::Folder("/data".into())),
            ("s3://files", bucket("files", "")),
            ("s3://files/", bucket("files", "")),
            ("s3://files.eu-1/a/b_c/", bucket("files.eu-1", "a/b_c")),
        ] {
            assert_eq!(text.parse(), Ok(location), "{text}");
        }
        assert_eq!(bucket("files", "a/b").to_string(), "s3://files/a/b");
    }

    #[test]
    fn what_cannot_be_one_is_refused_and_no_password_is_repeated() {
        for text in
            ["s3://", "s3:///x", "s3://Files", "s3://b/a//b", "s3://files/../x", "gs://files", "file://x"]
        {
            assert!(text.parse::<BlobLocation>().is_err(), "{text}");
        }
        let error = "s3://key:secret@files/x".parse::<BlobLocation>().unwrap_err().to_string();
        assert!(!error.contains("secret") && error.contains("s3://<redacted>@files/x"), "{error}");
    }
}
