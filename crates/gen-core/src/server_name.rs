//! Names of the operator's own servers.

use std::fmt;
use std::str::FromStr;

/// The name of one of the operator's own servers: 1 to 64 lower-case letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName(String);

/// A text that is not a valid server name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a server has 1 to 64 lower-case letters, digits and hyphens")]
pub struct ServerNameError;

impl ServerName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServerName {
    type Err = ServerNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        // Bounds ids in logs and the store. Chosen by hand; no measurement is recorded.
        if text.is_empty() || text.len() > 64 || !text.bytes().all(allowed) {
            return Err(ServerNameError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_a_short_lower_case_slug() {
        for good in ["a", "gpu-1", "9"] {
            assert_eq!(good.parse::<ServerName>().unwrap().as_str(), good);
        }
        for bad in ["", "A", "a_b", "a/b", "a@b", "ü", "a b", &"a".repeat(65)] {
            assert_eq!(bad.parse::<ServerName>(), Err(ServerNameError), "{bad}");
        }
    }
}
