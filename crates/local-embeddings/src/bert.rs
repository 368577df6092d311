//! The encoder of BERT (Devlin et al., 2018), and the mean over its tokens as in Sentence-BERT (Reimers and
//! Gurevych, 2019).

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{LayerNorm, Module as _, VarBuilder, layer_norm};

use crate::elementwise::{gelu_of_plus, plus, softmax};
use crate::folder::Config;

/// The encoder with its weights.
#[derive(Clone, Debug)]
pub(crate) struct Bert {
    words: Tensor,
    /// The position embeddings plus the embedding of token type 0, as there is one segment.
    positions: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
struct Layer {
    heads: usize,
    query: Dense,
    key: Dense,
    value: Dense,
    attention_output: Dense,
    attention_norm: LayerNorm,
    wide: Dense,
    narrow: Dense,
    norm: LayerNorm,
}

/// A linear layer: weights and bias.
#[derive(Clone, Debug)]
struct Dense {
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    fn load(from: usize, to: usize, weights: VarBuilder<'_>) -> Result<Self> {
        Ok(Self { weight: weights.get((to, from), "weight")?.t()?, bias: weights.get(to, "bias")? })
    }

    /// Multiplies weights and bias by `factor`.
    fn scaled(self, factor: f64) -> Result<Self> {
        Ok(Self { weight: (self.weight * factor)?, bias: (self.bias * factor)? })
    }

    fn product(&self, x: &Tensor) -> Result<Tensor> {
        x.matmul(&self.weight)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        plus(&self.product(x)?, &self.bias)
    }
}

impl Bert {
    pub(crate) fn load(config: &Config, weights: &VarBuilder<'_>) -> Result<Self> {
        let embeddings = weights.pp("embeddings");
        let size = config.hidden_size;
        let positions =
            embeddings.get((config.max_position_embeddings, size), "position_embeddings.weight")?;
        let kind = embeddings.pp("token_type_embeddings").get_unchecked("weight")?.narrow(0, 0, 1)?;
        let layers = (0..config.num_hidden_layers)
            .map(|number| Layer::load(config, &weights.pp("encoder.layer").pp(number)))
            .collect::<Result<_>>()?;
        Ok(Self {
            // The file determines the size of the vocabulary.
            words: embeddings.pp("word_embeddings").get_unchecked("weight")?,
            positions: positions.broadcast_add(&kind)?,
            norm: layer_norm(size, config.layer_norm_eps, embeddings.pp("LayerNorm"))?,
            layers,
        })
    }

    /// Returns one vector of length 1 for each text. `tokens` are padded to `longest` per text; `lengths` has
    /// the number of tokens of each text without padding.
    pub(crate) fn embed(&self, tokens: Vec<u32>, lengths: &[usize], longest: usize) -> Result<Vec<Vec<f32>>> {
        let (texts, device) = (lengths.len(), &Device::Cpu);
        let words = self.words.index_select(&Tensor::from_vec(tokens, texts * longest, device)?, 0)?;
        let mut hidden = self.norm.forward(&plus(&words, &self.positions.narrow(0, 0, longest)?)?)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, lengths, longest)?;
        }
        // Multiplying by rows of ones sums over the tokens. The sum has the direction of the mean, and is
        // normalised below.
        let row = |length: &usize| {
            let length = *length;
            (0..longest).map(move |at| if at < length { 1.0 } else { 0.0 })
        };
        let ones: Vec<f32> = lengths.iter().flat_map(row).collect();
        let hidden = hidden.reshape((texts, longest, ()))?;
        let sums = Tensor::from_vec(ones, (texts, 1, longest), device)?.matmul(&hidden)?.squeeze(1)?;
        let norms = sums.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
        sums.broadcast_div(&norms)?.to_vec2()
    }
}

impl Layer {
    fn load(config: &Config, weights: &VarBuilder<'_>) -> Result<Self> {
        let (size, epsilon) = (config.hidden_size, config.layer_norm_eps);
        let attention = weights.pp("attention");
        let own = attention.pp("self");
        let width = weights.pp("intermediate.dense").get_unchecked("bias")?.dim(0)?;
        // Attention divides the products of queries and keys by this. Scaling the queries once gives the same
        // result.
        let scale = ((size / config.num_attention_heads) as f64).sqrt();
        Ok(Self {
            heads: config.num_attention_heads,
            query: Dense::load(size, size, own.pp("query"))?.scaled(1.0 / scale)?,
            key: Dense::load(size, size, own.pp("key"))?,
            value: Dense::load(size, size, own.pp("value"))?,
            attention_output: Dense::load(size, size, attention.pp("output.dense"))?,
            attention_norm: layer_norm(size, epsilon, attention.pp("output.LayerNorm"))?,
            wide: Dense::load(size, width, weights.pp("intermediate.dense"))?,
            narrow: Dense::load(width, size, weights.pp("output.dense"))?,
            norm: layer_norm(size, epsilon, weights.pp("output.LayerNorm"))?,
        })
    }

    /// `hidden` has one row for each token of each text.
    fn forward(&self, hidden: &Tensor, lengths: &[usize], longest: usize) -> Result<Tensor> {
        let attended = self.attention_output.forward(&self.attend(hidden, lengths, longest)?)?;
        let attended = self.attention_norm.forward(&plus(&attended, hidden)?)?;
        let wide = gelu_of_plus(&self.wide.product(&attended)?, &self.wide.bias)?;
        self.norm.forward(&plus(&self.narrow.forward(&wide)?, &attended)?)
    }

    fn attend(&self, hidden: &Tensor, lengths: &[usize], longest: usize) -> Result<Tensor> {
        let (rows, size) = hidden.dims2()?;
        let shape = (lengths.len(), longest, self.heads, size / self.heads);
        let split = |all: Tensor| all.reshape(shape)?.transpose(1, 2)?.contiguous();
        let query = split(self.query.forward(hidden)?)?;
        let key = split(self.key.forward(hidden)?)?;
        let value = split(self.value.forward(hidden)?)?;
        let shares = softmax(&query.matmul(&key.t()?)?, lengths)?;
        shares.matmul(&value)?.transpose(1, 2)?.contiguous()?.reshape((rows, size))
    }
}

/// Loads a safetensors file.
pub(crate) fn weights(bytes: Vec<u8>) -> Result<VarBuilder<'static>> {
    VarBuilder::from_buffered_safetensors(bytes, candle_core::DType::F32, &Device::Cpu)
}

/// Whether the names of the weights have no prefix such as `bert.`.
pub(crate) fn has_plain_names(weights: &VarBuilder<'_>) -> bool {
    weights.contains_tensor("embeddings.word_embeddings.weight")
}
