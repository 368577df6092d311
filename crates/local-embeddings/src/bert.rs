//! The encoder of BERT (Devlin et al., 2018), and the mean over its tokens as in Sentence-BERT (Reimers and
//! Gurevych, 2019). The tokens of all texts lie one after the other, without padding; attention is within each text.

use std::ops::Range;

use crate::attention::{Projections, attend};
use crate::dense::{Dense, Kernels};
use crate::error::EncodeError;
use crate::folder::Config;
use crate::rows::{Norm, QuantizedRows, gelu};
use crate::table::Table;
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct Bert {
    size: usize,
    words: Table,
    /// The position embeddings plus the embedding of token type 0, as there is one segment.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    heads: usize,
    query: Dense,
    key: Dense,
    value: Dense,
    attention_output: Dense,
    attention_norm: Norm,
    wide: Dense,
    narrow: Dense,
    norm: Norm,
}

impl Bert {
    pub(crate) fn load(config: &Config, weights: &Weights<'_>) -> Result<Self, EncodeError> {
        let (kernels, size) = (Kernels::default(), config.hidden_size);
        let embeddings = weights.within("embeddings");
        let mut positions =
            embeddings.matrix("position_embeddings.weight", config.max_position_embeddings, size)?;
        let types = embeddings.within("token_type_embeddings");
        let kinds = types.length("weight")? / size;
        let kinds = types.matrix("weight", kinds, size)?;
        for position in positions.chunks_exact_mut(size) {
            position.iter_mut().zip(&kinds).for_each(|(number, kind)| *number += kind);
        }
        let layers = (0..config.num_hidden_layers)
            .map(|number| {
                Layer::load(&kernels, config, &weights.within("encoder.layer").within(&number.to_string()))
            })
            .collect::<Result<_, _>>()?;
        let norm = norm(config, &embeddings.within("LayerNorm"))?;
        let words = embeddings.table("word_embeddings.weight", size)?;
        Ok(Self { size, words, positions, norm, layers })
    }

    /// One vector of length 1 for each text of tokens.
    pub(crate) fn embed(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, EncodeError> {
        // Not kept: they cannot be sent to another thread.
        let kernels = Kernels::default();
        let mut hidden = self.embedded(texts)?;
        let mut end = 0;
        let places: Vec<Range<usize>> = texts
            .iter()
            .map(|text| {
                let start = end;
                end += text.len();
                start..end
            })
            .collect();
        for layer in &self.layers {
            layer.forward(&kernels, &mut hidden, self.size, &places)?;
        }
        Ok(places.into_iter().map(|place| self.mean(&hidden, place)).collect())
    }

    /// The embeddings of the tokens and their positions.
    fn embedded(&self, texts: &[&[u32]]) -> Result<Vec<f32>, EncodeError> {
        let mut rows = Vec::new();
        for text in texts {
            for (token, position) in text.iter().zip(self.positions.chunks_exact(self.size)) {
                let start = rows.len();
                rows.extend_from_slice(position);
                let known = rows
                    .get_mut(start..)
                    .is_some_and(|row| self.words.add(usize::try_from(*token).unwrap_or(usize::MAX), row));
                if !known {
                    return Err(format!("the tokenizer's token {token} is not one of the model").into());
                }
            }
        }
        let nothing = vec![0.0; rows.len()];
        self.norm.add_and_normalize(&mut rows, &nothing);
        Ok(rows)
    }

    /// The mean over the rows, normalized to length 1. A sum has the direction of the mean.
    fn mean(&self, hidden: &[f32], place: Range<usize>) -> Vec<f32> {
        let mut sums = vec![0.0; self.size];
        let rows = hidden.get(place.start * self.size..place.end * self.size).unwrap_or_default();
        for row in rows.chunks_exact(self.size) {
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        let length = sums.iter().map(|number| number * number).sum::<f32>().sqrt();
        sums.iter_mut().for_each(|number| *number /= length);
        sums
    }
}

impl Layer {
    fn load(kernels: &Kernels, config: &Config, weights: &Weights<'_>) -> Result<Self, EncodeError> {
        let size = config.hidden_size;
        let attention = weights.within("attention");
        let own = attention.within("self");
        let dense = |weights: Weights<'_>, from: usize, to: usize| {
            let bias = weights.vector("bias", to)?;
            Dense::new(kernels, &weights.matrix("weight", to, from)?, from, bias)
        };
        let width = weights.within("intermediate.dense").length("bias")?;
        Ok(Self {
            heads: config.num_attention_heads,
            query: dense(own.within("query"), size, size)?,
            key: dense(own.within("key"), size, size)?,
            value: dense(own.within("value"), size, size)?,
            attention_output: dense(attention.within("output.dense"), size, size)?,
            attention_norm: norm(config, &attention.within("output.LayerNorm"))?,
            wide: dense(weights.within("intermediate.dense"), size, width)?,
            narrow: dense(weights.within("output.dense"), width, size)?,
            norm: norm(config, &weights.within("output.LayerNorm"))?,
        })
    }

    /// `hidden` has a row of `size` numbers for each token; `places` are the rows of the texts.
    fn forward(
        &self,
        kernels: &Kernels,
        hidden: &mut [f32],
        size: usize,
        places: &[Range<usize>],
    ) -> Result<(), EncodeError> {
        let attended = self.attend(kernels, hidden, size, places)?;
        let attended = self.attention_output.forward(kernels, &QuantizedRows::of(&attended, size))?;
        self.attention_norm.add_and_normalize(hidden, &attended);
        let mut wide = self.wide.forward(kernels, &QuantizedRows::of(hidden, size))?;
        gelu(&mut wide);
        let width = wide.len() / (hidden.len() / size).max(1);
        let narrow = self.narrow.forward(kernels, &QuantizedRows::of(&wide, width))?;
        self.norm.add_and_normalize(hidden, &narrow);
        Ok(())
    }

    fn attend(
        &self,
        kernels: &Kernels,
        hidden: &[f32],
        size: usize,
        places: &[Range<usize>],
    ) -> Result<Vec<f32>, EncodeError> {
        let rows = QuantizedRows::of(hidden, size);
        let query = self.query.forward(kernels, &rows)?;
        let key = self.key.forward(kernels, &rows)?;
        let value = self.value.forward(kernels, &rows)?;
        attend(
            kernels,
            &Projections { query: &query, key: &key, value: &value, size, heads: self.heads },
            places,
        )
    }
}

fn norm(config: &Config, weights: &Weights<'_>) -> Result<Norm, EncodeError> {
    let vector = |name| weights.vector(name, config.hidden_size);
    Ok(Norm { weights: vector("weight")?, bias: vector("bias")?, epsilon: config.layer_norm_eps })
}
