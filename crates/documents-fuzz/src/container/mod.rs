//! Unpacks containers and packs them again, so that the content within them can be mutated too.

mod compound;
mod mail;
mod pdf;
pub(crate) mod zip;

use std::panic::catch_unwind;

/// The container format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// No container.
    Plain,
    /// A ZIP file.
    Zip,
    /// A compound file.
    Compound,
    /// A PDF, whose parts are its objects.
    Pdf,
    /// A multipart message.
    Mail,
}

/// A part of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// A path, or an object number.
    pub(crate) name: String,
    /// What precedes the content: a dictionary, or a message header.
    pub(crate) head: Vec<u8>,
    /// The uncompressed content.
    pub(crate) content: Vec<u8>,
    /// Whether it is compressed, or encoded, in the file.
    pub(crate) packed: bool,
}

/// Maximum inflated bytes of a file.
const INFLATED: u64 = 16 << 20;

impl Container {
    /// Unpacks a file; `None` when that fails.
    pub(crate) fn unpack(self, bytes: &[u8]) -> Option<Vec<Part>> {
        let parts = match self {
            Self::Plain => None,
            Self::Zip => zip::unpack(bytes),
            // The crate that reads it may panic on damaged files.
            Self::Compound => catch_unwind(|| compound::unpack(bytes)).ok().flatten(),
            Self::Pdf => pdf::unpack(bytes),
            Self::Mail => mail::unpack(bytes),
        };
        parts.filter(|parts| !parts.is_empty())
    }

    /// Packs parts into a file.
    pub(crate) fn pack(self, parts: &[Part]) -> Option<Vec<u8>> {
        match self {
            Self::Plain => None,
            Self::Zip => Some(zip::pack(parts)),
            Self::Compound => catch_unwind(|| compound::pack(parts)).ok().flatten(),
            Self::Pdf => Some(pdf::pack(parts)),
            Self::Mail => Some(mail::pack(parts)),
        }
    }

    /// The container format of a part's content.
    pub(crate) fn of(content: &[u8]) -> Self {
        if content.starts_with(b"PK\x03\x04") {
            Self::Zip
        } else if content.starts_with(b"\xd0\xcf\x11\xe0") {
            Self::Compound
        } else if content.starts_with(b"%PDF-") {
            Self::Pdf
        } else {
            Self::Plain
        }
    }
}

/// Offset of a byte string at or after `from`.
fn find(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(needle.len()).position(|window| window == needle).map(|at| at + from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;

    #[test]
    fn what_is_put_together_again_has_the_same_parts() {
        for target in TARGETS.iter().filter(|target| target.container != Container::Plain) {
            for (index, seed) in (target.seeds)().iter().enumerate() {
                let parts = target.container.unpack(seed).unwrap_or_default();
                assert!(!parts.is_empty(), "{} {index} is not taken apart", target.name);
                let again = target.container.pack(&parts).and_then(|bytes| target.container.unpack(&bytes));
                assert_eq!(again.unwrap_or_default(), parts, "{} {index}", target.name);
            }
        }
    }
}
