//! Files within a signature (Cryptographic Message Syntax, RFC 5652), such as FatturaPA invoices with the ending `.p7m`.
//! The signed file is read; the signature is not checked.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bcder::decode::{Constructed, DecodeError, Source};
use bcder::{Mode, OctetString, Oid, Tag};
use document::{Document, ParseError};

use crate::Limits;
use crate::nested::Nesting;

/// The object identifier of signed data, 1.2.840.113549.1.7.2, with tag and length.
const SIGNED_DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
/// Bytes of the sequence's tag and length before it at most.
const MAX_LENGTH_BYTES: usize = 8;
/// Bytes of a signed file at most: the decoder needs several times as many. Protects memory.
const MAX_BYTES: usize = 32 << 20;
/// Signatures around signatures at most. Protects time.
const MAX_DEPTH: usize = 4;
/// Characters of a file in Base64 that show what it is: a line of PEM, and the beginning of the data.
const HEAD: usize = 160;

/// Whether a file begins as signed data, in BER or in Base64 with or without the lines of PEM.
pub(crate) fn is_signed(prefix: &[u8]) -> bool {
    is_signed_ber(prefix) || encoded_head(prefix).is_some_and(|head| is_signed_ber(&head))
}

fn is_signed_ber(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(MAX_LENGTH_BYTES + SIGNED_DATA.len())).unwrap_or_default();
    head.starts_with(&[0x30]) && head.windows(SIGNED_DATA.len()).any(|window| window == SIGNED_DATA)
}

/// The first bytes of a file in Base64.
fn encoded_head(prefix: &[u8]) -> Option<Vec<u8>> {
    let digits = base64_digits(prefix.get(..prefix.len().min(HEAD))?);
    let whole = digits.get(..digits.len() / 4 * 4)?;
    let whole = whole.get(..whole.len().min(64))?;
    (!whole.is_empty()).then(|| BASE64_STANDARD.decode(whole).ok()).flatten()
}

/// A file without white space and without the lines of PEM.
fn base64_digits(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"-----"));
    lines.flatten().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Parses the signed file.
pub(crate) fn parse_signed(
    bytes: &[u8],
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    let mut content = signed_content(bytes)?;
    for _ in 1..MAX_DEPTH {
        if !is_signed(&content) {
            break;
        }
        content = signed_content(&content)?;
    }
    if is_signed(&content) {
        return Err(ParseError::Limit("signatures"));
    }
    nesting.parse(&content, "", limits)
}

/// The content of signed data.
fn signed_content(bytes: &[u8]) -> Result<Vec<u8>, ParseError> {
    if bytes.len() > MAX_BYTES {
        return Err(ParseError::Limit("bytes of a signed file"));
    }
    let decoded;
    let ber = match is_signed_ber(bytes) {
        true => bytes,
        false => {
            let damaged = |_| ParseError::Damaged("its Base64 cannot be decoded".to_owned());
            decoded = BASE64_STANDARD.decode(base64_digits(bytes)).map_err(damaged)?;
            &decoded
        }
    };
    let mut content = None;
    // What follows the content, certificates and signatures, is not read, and neither are its errors.
    let read = Mode::Ber.decode(ber, |outer| take_content(outer, &mut content));
    match (content, read) {
        (Some(content), _) if !content.is_empty() => Ok(content),
        (_, Err(_)) => Err(ParseError::Damaged("its signed content cannot be decoded".to_owned())),
        _ => Err(ParseError::Unsupported("a signature without the file that it signs".to_owned())),
    }
}

fn take_content<S: Source>(
    outer: &mut Constructed<'_, S>,
    content: &mut Option<Vec<u8>>,
) -> Result<(), DecodeError<S::Error>> {
    outer.take_sequence(|info| {
        Oid::skip_in(info)?;
        info.take_constructed_if(Tag::CTX_0, |explicit| {
            explicit.take_sequence(|signed| {
                // The version, and the algorithms of the digests.
                signed.skip_one()?;
                signed.skip_one()?;
                signed.take_sequence(|inner| {
                    Oid::skip_in(inner)?;
                    let found =
                        inner.take_opt_constructed_if(Tag::CTX_0, |own| OctetString::take_from(own))?;
                    *content = found.map(|found| found.into_bytes().to_vec());
                    Ok(())
                })?;
                signed.skip_all()
            })
        })
    })
}
