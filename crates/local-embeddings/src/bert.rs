//! The encoder of BERT (Devlin et al., 2018), and the mean over its tokens as in Sentence-BERT (Reimers and
//! Gurevych, 2019).

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Linear, Module as _, VarBuilder, layer_norm, linear, ops};

use crate::folder::Config;

/// See above.
#[derive(Clone, Debug)]
pub(crate) struct Bert {
    words: Embedding,
    positions: Tensor,
    /// The embedding of the first of two texts; there never is a second.
    kind: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attention_norm: LayerNorm,
    wide: Linear,
    narrow: Linear,
    norm: LayerNorm,
}

impl Bert {
    pub(crate) fn load(config: &Config, weights: &VarBuilder<'_>) -> Result<Self> {
        let embeddings = weights.pp("embeddings");
        let size = config.hidden_size;
        // The number of words is the file's own.
        let words = embeddings.pp("word_embeddings").get_unchecked("weight")?;
        let positions =
            embeddings.get((config.max_position_embeddings, size), "position_embeddings.weight")?;
        let kind = embeddings.pp("token_type_embeddings").get_unchecked("weight")?.narrow(0, 0, 1)?;
        let layers = (0..config.num_hidden_layers)
            .map(|number| Layer::load(config, &weights.pp("encoder.layer").pp(number)))
            .collect::<Result<_>>()?;
        Ok(Self {
            words: Embedding::new(words, size),
            positions,
            kind,
            norm: layer_norm(size, config.layer_norm_eps, embeddings.pp("LayerNorm"))?,
            layers,
        })
    }

    /// The vectors of texts, each of length 1. `tokens` are theirs, padded to `longest`; `lengths` says how many
    /// each has.
    pub(crate) fn embed(&self, tokens: Vec<u32>, lengths: &[usize], longest: usize) -> Result<Vec<Vec<f32>>> {
        let (texts, device) = (lengths.len(), &Device::Cpu);
        let tokens = Tensor::from_vec(tokens, (texts, longest), device)?;
        let part = |absent: f32, present: f32| {
            let row = |length: &usize| {
                let length = *length;
                (0..longest).map(move |at| if at < length { present } else { absent })
            };
            lengths.iter().flat_map(row).collect::<Vec<f32>>()
        };
        let hidden = self.words.forward(&tokens)?;
        let hidden = hidden.broadcast_add(&self.positions.narrow(0, 0, longest)?)?;
        let mut hidden = self.norm.forward(&hidden.broadcast_add(&self.kind)?)?;
        let padded = lengths.iter().any(|length| *length < longest);
        let mask = padded.then(|| Tensor::from_vec(part(f32::MIN, 0.0), (texts, 1, 1, longest), device));
        let mask = mask.transpose()?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, mask.as_ref())?;
        }
        // The mean is a product with rows that hold one over the length.
        let ones = Tensor::from_vec(part(0.0, 1.0), (texts, 1, longest), device)?;
        let sums = ones.matmul(&hidden)?.squeeze(1)?;
        let norms = sums.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
        sums.broadcast_div(&norms)?.to_vec2()
    }
}

impl Layer {
    fn load(config: &Config, weights: &VarBuilder<'_>) -> Result<Self> {
        let (size, epsilon) = (config.hidden_size, config.layer_norm_eps);
        let attention = weights.pp("attention");
        let own = attention.pp("self");
        let wide = weights.pp("intermediate.dense");
        let width = wide.get_unchecked("bias")?.dim(0)?;
        Ok(Self {
            heads: config.num_attention_heads,
            query: linear(size, size, own.pp("query"))?,
            key: linear(size, size, own.pp("key"))?,
            value: linear(size, size, own.pp("value"))?,
            attended: linear(size, size, attention.pp("output.dense"))?,
            attention_norm: layer_norm(size, epsilon, attention.pp("output.LayerNorm"))?,
            wide: linear(size, width, wide)?,
            narrow: linear(width, size, weights.pp("output.dense"))?,
            norm: layer_norm(size, epsilon, weights.pp("output.LayerNorm"))?,
        })
    }

    fn forward(&self, hidden: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attend(hidden, mask)?)?;
        let attended = self.attention_norm.forward(&(attended + hidden)?)?;
        let wide = self.wide.forward(&attended)?.gelu_erf()?;
        self.norm.forward(&(self.narrow.forward(&wide)? + attended)?)
    }

    fn attend(&self, hidden: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let (texts, tokens, size) = hidden.dims3()?;
        let width = size / self.heads;
        let split =
            |all: Tensor| all.reshape((texts, tokens, self.heads, width))?.transpose(1, 2)?.contiguous();
        let query = (split(self.query.forward(hidden)?)? / (width as f64).sqrt())?;
        let key = split(self.key.forward(hidden)?)?;
        let value = split(self.value.forward(hidden)?)?;
        let mut rates = query.matmul(&key.t()?)?;
        if let Some(mask) = mask {
            rates = rates.broadcast_add(mask)?;
        }
        let mixed = ops::softmax_last_dim(&rates)?.matmul(&value)?;
        mixed.transpose(1, 2)?.contiguous()?.reshape((texts, tokens, size))
    }
}

/// The weights of a file.
pub(crate) fn weights(bytes: Vec<u8>) -> Result<VarBuilder<'static>> {
    VarBuilder::from_buffered_safetensors(bytes, candle_core::DType::F32, &Device::Cpu)
}

/// Whether a tensor of this name is missing under the plain names, so that another prefix may be tried.
pub(crate) fn has_plain_names(weights: &VarBuilder<'_>) -> bool {
    weights.contains_tensor("embeddings.word_embeddings.weight")
}
