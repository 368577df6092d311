//! Tokenises texts and embeds them. Synchronous and CPU-bound.

use rayon::prelude::*;
use tokenizers::{Tokenizer, TruncationParams};

use crate::LocalModelError;
use crate::bert::{Bert, has_plain_names, weights};
use crate::folder::ModelFolder;

/// Maximum tokens of a batch, padding included. With its activations, such a batch fits into a processor's
/// cache.
const BATCH_TOKENS: usize = 2_048;
/// Characters of a text that are tokenised per token of the limit. A token rarely has more.
const MAX_CHARS_PER_TOKEN: usize = 32;

/// A failure of the tokenizer or the model.
pub(crate) type EncodeError = Box<dyn std::error::Error + Send + Sync>;

/// A tokenizer and its model.
#[derive(Debug)]
pub(crate) struct Encoder {
    tokenizer: Tokenizer,
    bert: Bert,
    max_tokens: usize,
}

/// One vector for each text, in the order of the texts.
#[derive(Debug)]
pub(crate) struct EncodedTexts {
    pub(crate) vectors: Vec<Vec<f32>>,
    /// Tokens read, of all texts together.
    pub(crate) tokens: u64,
}

impl Encoder {
    pub(crate) fn load(folder: &ModelFolder) -> Result<Self, LocalModelError> {
        let config = folder.config()?;
        let longest = folder.max_tokens(&config)?;
        let invalid =
            |name: &str, source: EncodeError| LocalModelError::Invalid { path: folder.path(name), source };
        let mut tokenizer = Tokenizer::from_bytes(folder.read("tokenizer.json")?)
            .map_err(|source| invalid("tokenizer.json", source))?;
        let cut = TruncationParams { max_length: longest, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(cut)).map_err(|source| invalid("tokenizer.json", source))?;
        tokenizer.with_padding(None);
        let file = "model.safetensors";
        let weights = weights(folder.read(file)?).map_err(|source| invalid(file, source.into()))?;
        let weights = if has_plain_names(&weights) { weights } else { weights.pp("bert") };
        let bert = Bert::load(&config, &weights).map_err(|source| invalid(file, source.into()))?;
        Ok(Self { tokenizer, bert, max_tokens: longest })
    }

    /// Maximum tokens of a text; the rest is truncated.
    pub(crate) fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// Embeds texts. Batches have texts of similar length, so that there is little padding.
    pub(crate) fn encode(&self, texts: &[String]) -> Result<EncodedTexts, EncodeError> {
        let tokens: Vec<Vec<u32>> =
            texts.par_iter().map(|text| self.tokens(text)).collect::<Result<_, _>>()?;
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|at| tokens.get(*at).map_or(0, Vec::len));
        let parts: Vec<(&[usize], Vec<Vec<f32>>)> = batches(&order, &tokens)
            .into_par_iter()
            .map(|batch| self.batch(batch, &tokens).map(|vectors| (batch, vectors)))
            .collect::<Result<_, candle_core::Error>>()?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (place, vector) in parts.into_iter().flat_map(|(batch, vectors)| batch.iter().zip(vectors)) {
            if let Some(slot) = vectors.get_mut(*place) {
                *slot = vector;
            }
        }
        let read = tokens.iter().map(|tokens| tokens.len() as u64).sum();
        Ok(EncodedTexts { vectors, tokens: read })
    }

    fn tokens(&self, text: &str) -> Result<Vec<u32>, EncodeError> {
        // Text far beyond the limit would be truncated anyway: it is not tokenised.
        let end =
            text.char_indices().nth(self.max_tokens.saturating_mul(MAX_CHARS_PER_TOKEN)).map(|(end, _)| end);
        let read = end.and_then(|end| text.get(..end)).unwrap_or(text);
        Ok(self.tokenizer.encode_fast(read, true)?.get_ids().to_vec())
    }

    fn batch(&self, batch: &[usize], tokens: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, candle_core::Error> {
        let texts: Vec<&[u32]> = batch.iter().filter_map(|at| tokens.get(*at)).map(Vec::as_slice).collect();
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let longest = lengths.iter().copied().max().unwrap_or_default();
        let padded = |text: &&[u32]| {
            let padding = longest - text.len();
            text.iter().copied().chain(std::iter::repeat_n(0, padding)).collect::<Vec<u32>>()
        };
        self.bert.embed(texts.iter().flat_map(padded).collect(), &lengths, longest)
    }
}

/// Divides texts, ordered by length, into batches of at most [`BATCH_TOKENS`] tokens, padding included. A
/// longer text is a batch of its own.
fn batches<'a>(order: &'a [usize], tokens: &[Vec<u32>]) -> Vec<&'a [usize]> {
    let mut batches = Vec::new();
    let mut start = 0;
    for (end, at) in order.iter().enumerate() {
        // The order is ascending: this text is the longest of its batch.
        let longest = tokens.get(*at).map_or(0, Vec::len);
        if end > start && (end - start + 1) * longest > BATCH_TOKENS {
            batches.extend(order.get(start..end));
            start = end;
        }
    }
    batches.extend(order.get(start..).filter(|rest| !rest.is_empty()));
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_as_many_tokens_as_go_together_and_a_long_text_goes_alone() {
        let tokens: Vec<Vec<u32>> = [10, 10, 1_000, 1_000, 3_000].map(|length| vec![1; length]).to_vec();
        let order = [0, 1, 2, 3, 4];
        assert_eq!(batches(&order, &tokens), [&[0, 1][..], &[2, 3], &[4]]);
        assert!(batches(&[], &[]).is_empty());
    }
}
