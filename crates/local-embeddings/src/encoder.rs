//! Tokenises texts and embeds them. Synchronous and CPU-bound.

use gen_core::EmbedPurpose;
use rayon::prelude::*;
use safetensors::SafeTensors;

use crate::LocalModelError;
use crate::bert::Bert;
use crate::error::EncodeError;
use crate::folder::{ModelFolder, Prompts};
use crate::tokens::Tokenizer;
use crate::weights::Weights;

/// Maximum tokens of a batch. With its activations, such a batch fits into a processor's
/// cache.
const BATCH_TOKENS: usize = 2_048;
/// Characters of a text that are tokenised per token of the limit. A token rarely has more.
const MAX_CHARS_PER_TOKEN: usize = 32;

/// A tokenizer and its model.
pub(crate) struct Encoder {
    tokenizer: Tokenizer,
    bert: Bert,
    prompts: Prompts,
    max_tokens: usize,
}

/// One vector for each text, in the order of the texts.
#[derive(Debug, Default)]
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
        let file = "tokenizer.json";
        let tokenizer =
            Tokenizer::read(&folder.read(file)?, longest).map_err(|source| invalid(file, source))?;
        let file = "model.safetensors";
        let bytes = folder.read(file)?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|source| invalid(file, source.into()))?;
        let bert = Bert::load(&config, &Weights::new(&tensors)).map_err(|source| invalid(file, source))?;
        Ok(Self { tokenizer, bert, prompts: folder.prompts()?, max_tokens: longest })
    }

    /// Embeds texts. Batches have texts of similar length, so that there is little padding.
    pub(crate) fn encode(
        &self,
        texts: &[String],
        purpose: EmbedPurpose,
    ) -> Result<EncodedTexts, EncodeError> {
        let prompt = match purpose {
            EmbedPurpose::Query => &self.prompts.query,
            EmbedPurpose::Document => &self.prompts.document,
        };
        let tokens: Vec<Vec<u32>> =
            texts.par_iter().map(|text| self.tokens(prompt, text)).collect::<Result<_, _>>()?;
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|at| tokens.get(*at).map_or(0, Vec::len));
        let parts: Vec<(&[usize], Vec<Vec<f32>>)> = batches(&order, &tokens)
            .into_par_iter()
            .map(|batch| self.batch(batch, &tokens).map(|vectors| (batch, vectors)))
            .collect::<Result<_, EncodeError>>()?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (place, vector) in parts.into_iter().flat_map(|(batch, vectors)| batch.iter().zip(vectors)) {
            if let Some(slot) = vectors.get_mut(*place) {
                *slot = vector;
            }
        }
        let read = tokens.iter().map(|tokens| tokens.len() as u64).sum();
        Ok(EncodedTexts { vectors, tokens: read })
    }

    fn tokens(&self, prompt: &str, text: &str) -> Result<Vec<u32>, EncodeError> {
        // Text far beyond the limit would be truncated anyway: it is not tokenised.
        let end =
            text.char_indices().nth(self.max_tokens.saturating_mul(MAX_CHARS_PER_TOKEN)).map(|(end, _)| end);
        let read = end.and_then(|end| text.get(..end)).unwrap_or(text);
        self.tokenizer.tokens(&format!("{prompt}{read}"))
    }

    fn batch(&self, batch: &[usize], tokens: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let texts: Vec<&[u32]> = batch.iter().filter_map(|at| tokens.get(*at)).map(Vec::as_slice).collect();
        self.bert.embed(&texts)
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
