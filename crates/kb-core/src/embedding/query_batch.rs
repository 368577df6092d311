//! Embeds one batch of texts, and stores the vectors as soon as they are paid.

use std::sync::Arc;

use gen_core::{EmbedPurpose, EmbedRequest, Fault, GenError, estimate_tokens};

use super::EmbedFailure;
use super::batches::{Text, cut};
use super::window::ItemEmbedding;
use crate::Vector;

/// Minimum tokens of a text that is cut when the model finds it too long.
const SHORTEST: usize = 64;

impl ItemEmbedding<'_> {
    /// Embeds texts and stores their vectors. When the provider rejects the batch as too large or invalid,
    /// its halves are tried, and a single text that is too long is cut: token estimates may be wrong, and one
    /// text should not block the others.
    pub(super) async fn portion(&self, texts: Vec<Text>) -> Result<(), EmbedFailure> {
        let mut open = vec![texts];
        while let Some(mut texts) = open.pop() {
            let Err(error) = self.once(&texts).await else { continue };
            if !may_be_size(&error) {
                return Err(error);
            }
            if texts.len() > 1 {
                let second = texts.split_off(texts.len() / 2);
                open.extend([second, texts]);
            } else {
                open.push(vec![shorter(texts.pop(), error)?]);
            }
        }
        Ok(())
    }

    async fn once(&self, texts: &[Text]) -> Result<(), EmbedFailure> {
        let request = EmbedRequest {
            model: self.model.model.clone(),
            texts: texts.iter().map(|text| text.text.clone()).collect(),
            dimensions: None,
            purpose: EmbedPurpose::Document,
        };
        let generation = &self.embedder.generation;
        let made = generation.embed(&self.payer, self.model, request).await.map_err(EmbedFailure::Model)?;
        let vectors = made.answer.vectors;
        if vectors.len() != texts.len() {
            return Err(EmbedFailure::Count { given: vectors.len(), due: texts.len() });
        }
        for vector in &vectors {
            let first = *self.length.get_or_init(|| vector.len());
            if vector.len() != first || first == 0 {
                return Err(EmbedFailure::Length { first, other: vector.len() });
            }
        }
        let vectors: Vec<Vector> =
            texts.iter().zip(vectors).map(|(text, vector)| (text.hash, Arc::from(vector))).collect();
        self.embedder.embeddings.store_vectors(&self.payer.scope, &self.name, vectors).await?;
        Ok(())
    }
}

/// Whether a smaller batch may succeed.
fn may_be_size(error: &EmbedFailure) -> bool {
    match error {
        EmbedFailure::Model(GenError::ExceedsLimit(_)) => true,
        EmbedFailure::Model(GenError::Provider { error, .. }) => {
            matches!(error.fault, Fault::ContextTooLong | Fault::InvalidRequest)
        }
        _ => false,
    }
}

/// Three quarters of a text, if it was rejected as too long and enough of it is left.
fn shorter(text: Option<Text>, error: EmbedFailure) -> Result<Text, EmbedFailure> {
    let too_long = match &error {
        EmbedFailure::Model(GenError::Provider { error, .. }) => error.fault == Fault::ContextTooLong,
        _ => false,
    };
    match text.map(|text| (estimate_tokens(&text.text), text)) {
        Some((tokens, text)) if too_long && tokens >= SHORTEST => {
            Ok(Text { text: cut(&text.text, tokens * 3 / 4).to_owned(), ..text })
        }
        _ => Err(error),
    }
}
