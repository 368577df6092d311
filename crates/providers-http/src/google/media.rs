//! Decodes pictures and speech in answers from base64. No I/O.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gen_core::{Fault, Media, ProviderError};

use super::wav::wav;
use super::wire::InlineData;

/// Accepted picture types. Others, above all SVG, can contain scripts.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/heic"];

/// Audio types that are complete files.
const SOUNDS: &[(&str, &str)] = &[
    ("audio/wav", "audio/wav"),
    ("audio/x-wav", "audio/wav"),
    ("audio/wave", "audio/wav"),
    ("audio/mpeg", "audio/mpeg"),
    ("audio/mp3", "audio/mpeg"),
    ("audio/ogg", "audio/ogg"),
    ("audio/opus", "audio/ogg"),
    ("audio/flac", "audio/flac"),
    ("audio/aac", "audio/aac"),
];

/// Default sample rate in Hz. That of Gemini's speech models.
const RATE: u32 = 24_000;

/// Valid sample rates in Hz. From below telephony to studio recordings. Chosen by hand; no measurement is
/// recorded.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes a picture.
pub(super) fn picture(data: &InlineData) -> Result<Media, ProviderError> {
    let (kind, _) = media_type(&data.mime_type);
    let kind = PICTURES.iter().find(|known| **known == kind).ok_or_else(|| {
        ProviderError::new(Fault::Protocol, "the provider's picture is of a type that is not taken")
    })?;
    Ok(Media { bytes: decoded(data)?.into(), content_type: (*kind).to_owned() })
}

/// Joins the pieces of speech into one file.
pub(super) fn sound(pieces: &[InlineData]) -> Result<Media, ProviderError> {
    let protocol = |message: &str| ProviderError::new(Fault::Protocol, message);
    let first = pieces.first().ok_or_else(|| protocol("the provider's answer has no sound"))?;
    if pieces.iter().any(|piece| piece.mime_type != first.mime_type) {
        return Err(protocol("the provider's sound has parts of different types"));
    }
    let mut bytes = Vec::new();
    for piece in pieces {
        bytes.append(&mut decoded(piece)?);
    }
    let (kind, parameters) = media_type(&first.mime_type);
    if let Some((_, kind)) = SOUNDS.iter().find(|(name, _)| *name == kind) {
        return Ok(Media { bytes: bytes.into(), content_type: (*kind).to_owned() });
    }
    if !matches!(kind.as_str(), "audio/l16" | "audio/pcm" | "audio/raw") {
        return Err(protocol("the provider's sound is of a type that is not taken"));
    }
    let rate = number(&parameters, "rate")?.unwrap_or(RATE);
    let channels = number(&parameters, "channels")?.unwrap_or(1);
    let whole = RATES.contains(&rate) && (1..=2).contains(&channels);
    let channels = u16::try_from(channels).unwrap_or_default();
    if !whole || !bytes.len().is_multiple_of(usize::from(channels) * 2) {
        return Err(protocol("the provider's sound is not what its type says"));
    }
    let bytes = wav(&bytes, rate, channels).ok_or_else(|| protocol("the provider's sound is too long"))?;
    Ok(Media { bytes, content_type: "audio/wav".to_owned() })
}

/// The media type in lower case, and its parameters.
fn media_type(text: &str) -> (String, Vec<(String, String)>) {
    let mut parts = text.split(';');
    let kind = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let parameters = parts.filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned()))
    });
    (kind, parameters.collect())
}

fn number(parameters: &[(String, String)], name: &str) -> Result<Option<u32>, ProviderError> {
    let Some((_, text)) = parameters.iter().find(|(own, _)| own == name) else { return Ok(None) };
    let number = text.parse().map_err(|error: std::num::ParseIntError| {
        ProviderError::new(Fault::Protocol, "the type of the provider's sound is not to be read")
            .with_source(error)
    })?;
    Ok(Some(number))
}

fn decoded(data: &InlineData) -> Result<Vec<u8>, ProviderError> {
    let bytes = BASE64.decode(data.data.as_bytes()).map_err(|error| {
        ProviderError::new(Fault::Protocol, "the provider's file is not base64").with_source(error)
    })?;
    if bytes.is_empty() {
        return Err(ProviderError::new(Fault::Protocol, "the provider's file is empty"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(mime_type: &str, bytes: &[u8]) -> InlineData {
        InlineData { mime_type: mime_type.to_owned(), data: BASE64.encode(bytes) }
    }

    fn fault<T: std::fmt::Debug>(result: Result<T, ProviderError>) -> Fault {
        result.unwrap_err().fault
    }

    #[test]
    fn raw_samples_become_a_wav_file_with_the_rate_of_their_type() {
        for (kind, rate) in [
            ("audio/L16;codec=pcm;rate=16000", 16_000_u32),
            ("audio/L16; rate=\"8000\"", 8_000),
            ("audio/pcm", 24_000),
        ] {
            let media = sound(&[data(kind, &[1, 2]), data(kind, &[3, 4])]).unwrap();
            assert_eq!(media.content_type, "audio/wav");
            assert_eq!(media.bytes[24..28], rate.to_le_bytes(), "{kind}");
            assert_eq!(media.bytes[44..], [1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_sound_that_is_a_file_stays_as_it_is() {
        let media = sound(&[data("audio/mp3", b"ID3")]).unwrap();
        assert_eq!((&media.bytes[..], media.content_type.as_str()), (&b"ID3"[..], "audio/mpeg"));
    }

    #[test]
    fn a_picture_keeps_its_type_and_bytes() {
        let media = picture(&data("IMAGE/PNG", b"\x89PNG")).unwrap();
        assert_eq!((&media.bytes[..], media.content_type.as_str()), (&b"\x89PNG"[..], "image/png"));
        let unpadded = InlineData { mime_type: "image/png".into(), data: "iVBORw".into() };
        assert_eq!(&picture(&unpadded).unwrap().bytes[..], b"\x89PNG");
    }

    #[test]
    fn files_that_are_not_what_they_say_are_refused() {
        for kind in ["image/svg+xml", "text/html", "", "image/png\r\nx: y"] {
            assert_eq!(fault(picture(&data(kind, b"x"))), Fault::Protocol, "{kind}");
        }
        let not_base64 = InlineData { mime_type: "image/png".into(), data: "not base64".into() };
        assert_eq!(fault(picture(&not_base64)), Fault::Protocol);
        assert_eq!(fault(picture(&data("image/png", b""))), Fault::Protocol);
        for kind in [
            "audio/L16;rate=0",
            "audio/L16;rate=4294967295",
            "audio/L16;rate=-1",
            "audio/L16;channels=0",
            "audio/L16;channels=65538",
            "audio/L16;rate=24000;channels=2",
            "video/mp4",
        ] {
            assert_eq!(fault(sound(&[data(kind, &[1, 2])])), Fault::Protocol, "{kind}");
        }
        assert_eq!(fault(sound(&[data("audio/L16", &[1, 2, 3])])), Fault::Protocol);
        assert_eq!(fault(sound(&[data("audio/L16", &[1, 2]), data("audio/wav", &[1, 2])])), Fault::Protocol);
        assert_eq!(fault(sound(&[])), Fault::Protocol);
    }
}
