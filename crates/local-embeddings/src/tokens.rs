//! Turns a text into the tokens of a model, by its `tokenizer.json`.

use serde::Deserialize;
use tokenizers::{
    DecoderWrapper, NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper, Tokenizer as AnyTokenizer,
    TokenizerImpl, TruncationParams,
};

use crate::error::EncodeError;
use crate::unigram::Unigram;

type UnigramTokenizer =
    TokenizerImpl<Unigram, NormalizerWrapper, PreTokenizerWrapper, PostProcessorWrapper, DecoderWrapper>;

/// A tokenizer that truncates texts.
pub(crate) enum Tokenizer {
    /// A unigram model, as of the XLM-RoBERTa family.
    Unigram(Box<UnigramTokenizer>),
    /// Any other model, such as WordPiece.
    Other(Box<AnyTokenizer>),
}

#[derive(Deserialize)]
struct Header {
    model: ModelHeader,
}

#[derive(Deserialize)]
struct ModelHeader {
    #[serde(rename = "type", default)]
    kind: String,
}

impl Tokenizer {
    /// Reads `tokenizer.json`. Texts are truncated to `max_tokens`.
    pub(crate) fn read(json: &[u8], max_tokens: usize) -> Result<Self, EncodeError> {
        let truncation = Some(TruncationParams { max_length: max_tokens, ..TruncationParams::default() });
        let header: Header = serde_json::from_slice(json)?;
        if header.model.kind == "Unigram" {
            let mut tokenizer: UnigramTokenizer = serde_json::from_slice(json)?;
            tokenizer.with_truncation(truncation)?.with_padding(None);
            return Ok(Self::Unigram(Box::new(tokenizer)));
        }
        let mut tokenizer = AnyTokenizer::from_bytes(json)?;
        tokenizer.with_truncation(truncation)?.with_padding(None);
        Ok(Self::Other(Box::new(tokenizer)))
    }

    /// The tokens of a text, with those that the model expects at its ends.
    pub(crate) fn tokens(&self, text: &str) -> Result<Vec<u32>, EncodeError> {
        let encoding = match self {
            Self::Unigram(tokenizer) => tokenizer.encode_fast(text, true)?,
            Self::Other(tokenizer) => tokenizer.encode_fast(text, true)?,
        };
        Ok(encoding.get_ids().to_vec())
    }
}
