//! Splits texts into portions for a vendor, and reads the vectors of its answers.

use std::ops::Range;

use gen_core::{EmbedRequest, Fault, ProviderError};

use super::profile::Profile;
use super::wire::{EmbedAnswer, EmbedBody};

/// The texts of each call: as many as the vendor accepts, at least one.
pub(super) fn portions(profile: &Profile, texts: &[String]) -> Vec<Range<usize>> {
    let mut portions = Vec::new();
    let (mut start, mut bytes) = (0, 0_usize);
    for (at, text) in texts.iter().enumerate() {
        let full = at - start == profile.texts || bytes.saturating_add(text.len()) > profile.text_bytes;
        if full && at > start {
            portions.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes = bytes.saturating_add(text.len());
    }
    if start < texts.len() {
        portions.push(start..texts.len());
    }
    portions
}

/// The request body of one portion.
pub(super) fn body<'a>(profile: &Profile, request: &'a EmbedRequest, portion: Range<usize>) -> EmbedBody<'a> {
    EmbedBody {
        model: &request.model,
        input: request.texts.get(portion).unwrap_or_default(),
        dimensions: request.dimensions.filter(|_| profile.dimensions),
        output_dimension: request.dimensions.filter(|_| !profile.dimensions),
        encoding_format: profile.base64_vectors.then_some("base64"),
    }
}

/// The vectors of `texts` texts in order. `length` is the required number of dimensions, if known.
pub(super) fn vectors(
    answer: EmbedAnswer,
    texts: usize,
    length: Option<usize>,
) -> Result<Vec<Vec<f32>>, ProviderError> {
    let wrong = |message: String| ProviderError::new(Fault::Protocol, message);
    if answer.data.len() != texts {
        return Err(wrong(format!("the provider gave {} vectors for {texts} texts", answer.data.len())));
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (position, entry) in answer.data.into_iter().enumerate() {
        let index = entry.index.0.map_or(Ok(position), usize::try_from);
        let free = index.ok().and_then(|index| ordered.get_mut(index)).filter(|place| place.is_none());
        let place = free.ok_or_else(|| wrong("the provider numbered its vectors wrongly".to_owned()))?;
        *place = Some(entry.embedding.0);
    }
    let vectors: Vec<Vec<f32>> = ordered.into_iter().flatten().collect();
    let length = length.or(vectors.first().map(Vec::len)).unwrap_or_default();
    if length == 0 || vectors.iter().any(|vector| vector.len() != length) {
        return Err(wrong("the provider gave vectors of another length than was due".to_owned()));
    }
    if vectors.iter().flatten().any(|number| !number.is_finite()) {
        return Err(wrong("the provider gave a vector with a number that is none".to_owned()));
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};

    use super::super::profile::{MISTRAL, OPENAI};
    use super::*;

    fn read(answer: Value, texts: usize, length: Option<usize>) -> Result<Vec<Vec<f32>>, ProviderError> {
        vectors(serde_json::from_value(answer).unwrap(), texts, length)
    }

    #[test]
    fn texts_are_split_by_number_and_by_bytes() {
        let small = Profile { texts: 2, text_bytes: 10, ..OPENAI };
        let texts = |lengths: &[usize]| lengths.iter().map(|length| "x".repeat(*length)).collect::<Vec<_>>();
        assert_eq!(portions(&small, &texts(&[1, 1, 1])), [0..2, 2..3]);
        assert_eq!(portions(&small, &texts(&[6, 5, 20, 1])), [0..1, 1..2, 2..3, 3..4]);
        assert!(portions(&small, &[]).is_empty());
    }

    #[test]
    fn a_vector_is_read_from_numbers_and_from_base64() {
        // 1.0 and -2.0 as little-endian floats.
        let encoded = STANDARD.encode([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        let answer =
            json!({"data": [{"index": 1, "embedding": [0.5, 1]}, {"index": 0, "embedding": encoded}]});
        assert_eq!(read(answer, 2, None).unwrap(), [[1.0, -2.0], [0.5, 1.0]]);
        assert!(serde_json::from_value::<EmbedAnswer>(json!({"data": [{"embedding": "AAA="}]})).is_err());
    }

    #[test]
    fn vectors_that_are_missing_doubled_uneven_or_not_finite_are_refused() {
        let entry = |index: usize, vector: Value| json!({"index": index, "embedding": vector});
        for answer in [
            json!({"data": [entry(0, json!([1]))]}),
            json!({"data": [entry(0, json!([1])), entry(0, json!([1]))]}),
            json!({"data": [entry(0, json!([1])), entry(2, json!([1]))]}),
            json!({"data": [entry(0, json!([1])), entry(1, json!([1, 2]))]}),
            json!({"data": [entry(0, json!([])), entry(1, json!([]))]}),
            json!({"data": [entry(0, json!([1e300])), entry(1, json!([1]))]}),
        ] {
            assert_eq!(read(answer.clone(), 2, None).unwrap_err().fault, Fault::Protocol, "{answer}");
        }
        assert!(read(json!({"data": [entry(0, json!([1, 2]))]}), 1, Some(3)).is_err());
        assert!(read(json!({"data": [{"embedding": [1]}, {"embedding": [2]}]}), 2, None).is_ok());
    }

    #[test]
    fn each_vendor_is_asked_in_its_own_words() {
        let texts = vec!["a".to_owned()];
        let request = EmbedRequest { model: "m".into(), texts, dimensions: Some(8), ..Default::default() };
        let sent = |profile: &Profile| serde_json::to_value(body(profile, &request, 0..1)).unwrap();
        assert_eq!(
            sent(&OPENAI),
            json!({"model": "m", "input": ["a"], "dimensions": 8, "encoding_format": "base64"})
        );
        assert_eq!(sent(&MISTRAL), json!({"model": "m", "input": ["a"], "output_dimension": 8}));
    }
}
