//! Raw samples as a WAV file: the RIFF header of 44 bytes that canonical PCM has.

use bytes::{BufMut as _, Bytes, BytesMut};

// `audio/L16` of RFC 2586; a head of 44 bytes, of which 36 follow the length.
const BITS: u16 = 16;

/// `samples` (signed 16-bit little-endian, interleaved channels) as a WAV file; `None` when they exceed the
/// size in the header (4 GiB).
pub(super) fn wav(samples: &[u8], rate: u32, channels: u16) -> Option<Bytes> {
    let length = u32::try_from(samples.len()).ok()?;
    let frame = channels.checked_mul(BITS / 8)?;
    let mut file = BytesMut::with_capacity(44 + samples.len());
    file.put_slice(b"RIFF");
    file.put_u32_le(length.checked_add(36)?);
    file.put_slice(b"WAVEfmt ");
    file.put_u32_le(16);
    // Format 1 is uncompressed PCM.
    file.put_u16_le(1);
    file.put_u16_le(channels);
    file.put_u32_le(rate);
    file.put_u32_le(rate.checked_mul(u32::from(frame))?);
    file.put_u16_le(frame);
    file.put_u16_le(BITS);
    file.put_slice(b"data");
    file.put_u32_le(length);
    file.put_slice(samples);
    Some(file.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_what_the_samples_are() {
        let file = wav(&[1, 0, 2, 0, 3, 0, 4, 0], 24_000, 2).unwrap();
        let u16_at = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap());
        let u32_at = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        assert_eq!((&file[..4], &file[8..16], &file[36..40]), (&b"RIFF"[..], &b"WAVEfmt "[..], &b"data"[..]));
        assert_eq!((u32_at(4), u32_at(16), u32_at(40)), (44 + 8 - 8, 16, 8));
        assert_eq!((u16_at(20), u16_at(22), u32_at(24)), (1, 2, 24_000));
        assert_eq!((u32_at(28), u16_at(32), u16_at(34)), (96_000, 4, 16));
        assert_eq!(&file[44..], [1, 0, 2, 0, 3, 0, 4, 0]);
    }

    #[test]
    fn a_rate_that_does_not_fit_is_refused() {
        assert_eq!(wav(&[0, 0], u32::MAX, 2), None);
        assert_eq!(wav(&[0, 0], 24_000, u16::MAX), None);
    }
}
