//! A tiny encoder, to test what is around embedding models. Its weights are arbitrary, so that its vectors mean nothing;
//! equal texts have equal vectors.

use std::io;
use std::path::Path;

use serde_json::{Value, json};

/// Numbers of a vector.
const SIZE: usize = 8;
/// Numbers of a wide layer.
const WIDE: usize = 16;
/// The words that it knows.
const WORDS: [&str; 8] = ["[UNK]", "[CLS]", "[SEP]", "tugs", "berth", "pilot", "cost", "hour"];

/// Writes a model in the format of sentence-transformers into a folder, which is created.
///
/// # Errors
/// The failure, when a file cannot be written.
pub fn write_embedding_model(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let files =
        [("config.json", config()), ("tokenizer.json", tokenizer()), ("sentence_bert_config.json", limit())];
    for (name, content) in files {
        std::fs::write(folder.join(name), content.to_string())?;
    }
    std::fs::write(folder.join("model.safetensors"), weights())
}

fn config() -> Value {
    json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": SIZE, "num_hidden_layers": 1,
        "num_attention_heads": 2, "max_position_embeddings": 32, "layer_norm_eps": 1e-12
    })
}

fn limit() -> Value {
    json!({"max_seq_length": 24})
}

fn tokenizer() -> Value {
    let vocabulary: serde_json::Map<String, Value> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), json!(id))).collect();
    json!({
        "version": "1.0",
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    })
}

/// A safetensors file with all tensors of one layer.
fn weights() -> Vec<u8> {
    let mut tensors: Vec<(String, Vec<usize>)> = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![WORDS.len(), SIZE]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![32, SIZE]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, SIZE]),
    ];
    let mut pair = |name: &str, shape: Vec<usize>| {
        tensors.push((format!("{name}.bias"), vec![shape[0]]));
        tensors.push((format!("{name}.weight"), shape));
    };
    pair("embeddings.LayerNorm", vec![SIZE]);
    for (name, shape) in [
        ("attention.self.query", vec![SIZE, SIZE]),
        ("attention.self.key", vec![SIZE, SIZE]),
        ("attention.self.value", vec![SIZE, SIZE]),
        ("attention.output.dense", vec![SIZE, SIZE]),
        ("attention.output.LayerNorm", vec![SIZE]),
        ("intermediate.dense", vec![WIDE, SIZE]),
        ("output.dense", vec![SIZE, WIDE]),
        ("output.LayerNorm", vec![SIZE]),
    ] {
        pair(&format!("encoder.layer.0.{name}"), shape);
    }
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (number, (name, shape)) in tensors.into_iter().enumerate() {
        let start = data.len();
        for at in 0..shape.iter().product() {
            let weight = ((at * 7_919 + number * 104_729) % 2_003) as f32 / 1_001.5 - 1.0;
            data.extend(weight.to_le_bytes());
        }
        header.insert(name, json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}));
    }
    let header = Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.into_bytes());
    file.extend(data);
    file
}
