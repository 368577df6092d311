//! The unigram model of SentencePiece (Kudo, 2018) in a compact form: 250,000 pieces take 6 MB, while the model of the
//! crate `tokenizers` takes 300 MB for its trie and its map.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use tokenizers::models::unigram::UnigramTrainer;
use tokenizers::{Model, Result, Token};

/// What an unknown character costs beyond the least score: `kUnkPenalty` of SentencePiece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The part of `tokenizer.json` about the model.
#[derive(Deserialize)]
struct UnigramFile {
    unk_id: Option<u32>,
    vocab: Vec<(String, f32)>,
    #[serde(default)]
    byte_fallback: bool,
}

/// Pieces with their scores, in the order of their bytes.
#[derive(Debug)]
pub(crate) struct Unigram {
    /// The pieces, one after the other.
    bytes: Vec<u8>,
    /// Where each piece ends in `bytes`.
    ends: Vec<u32>,
    /// The logarithm of the probability of each.
    scores: Vec<f32>,
    /// The token of each.
    ids: Vec<u32>,
    unknown: u32,
    unknown_score: f32,
}

/// The best way to cut the text up to a place.
#[derive(Clone, Copy)]
struct Cut {
    score: f32,
    start: usize,
    token: u32,
}

impl Unigram {
    fn new(stored: UnigramFile) -> std::result::Result<Self, String> {
        if stored.byte_fallback {
            return Err("a unigram model with byte_fallback is not supported".into());
        }
        let unknown =
            stored.unk_id.ok_or_else(|| "a unigram model without unk_id is not supported".to_owned())?;
        let least = stored.vocab.iter().map(|(_, score)| *score).fold(0.0, f32::min);
        let mut pieces: Vec<(String, f32, u32)> =
            (0..).zip(stored.vocab).map(|(id, (piece, score))| (piece, score, id)).collect();
        pieces.sort_unstable_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut own = Self {
            bytes: Vec::with_capacity(pieces.iter().map(|(piece, ..)| piece.len()).sum()),
            ends: Vec::with_capacity(pieces.len()),
            scores: Vec::with_capacity(pieces.len()),
            ids: Vec::with_capacity(pieces.len()),
            unknown,
            unknown_score: least - UNKNOWN_PENALTY,
        };
        for (piece, score, id) in pieces {
            own.bytes.extend_from_slice(piece.as_bytes());
            own.ends.push(
                u32::try_from(own.bytes.len())
                    .map_err(|error| format!("the vocabulary is too large: {error}"))?,
            );
            own.scores.push(score);
            own.ids.push(id);
        }
        Ok(own)
    }

    /// The piece at a place of the order.
    fn piece(&self, at: usize) -> &[u8] {
        let end = |at: usize| self.ends.get(at).map_or(0, |end| *end as usize);
        let start = at.checked_sub(1).map_or(0, end);
        self.bytes.get(start..end(at)).unwrap_or_default()
    }

    /// The first place from `from` to `to` whose piece has at `depth` a byte that `is_before` refuses.
    fn bound(&self, from: usize, to: usize, depth: usize, is_before: impl Fn(Option<u8>) -> bool) -> usize {
        let (mut from, mut to) = (from, to);
        while from < to {
            let middle = from.midpoint(to);
            match is_before(self.piece(middle).get(depth).copied()) {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        from
    }

    /// Calls `found` with the place of each piece that `text` begins with, the shortest first.
    fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize)) {
        let (mut from, mut to) = (0, self.ends.len());
        for (depth, byte) in text.iter().enumerate() {
            // A piece that has ended comes before those that go on.
            from = self.bound(from, to, depth, |own| own.is_none_or(|own| own < *byte));
            to = self.bound(from, to, depth, |own| own.is_none_or(|own| own <= *byte));
            if from == to {
                return;
            }
            if self.piece(from).len() == depth + 1 {
                found(from);
            }
        }
    }

    /// The most probable tokens of a text, with the places where they begin and end (Viterbi's algorithm).
    fn cut(&self, text: &str) -> Vec<(u32, usize, usize)> {
        let mut best: Vec<Option<Cut>> = vec![None; text.len() + 1];
        for (start, character) in text.char_indices() {
            let Some(score) = (match start {
                0 => Some(0.0),
                _ => best.get(start).copied().flatten().map(|cut| cut.score),
            }) else {
                continue;
            };
            let mut offer = |end: usize, score: f32, token: u32| {
                if let Some(slot) = best.get_mut(end)
                    && slot.is_none_or(|cut| score > cut.score)
                {
                    *slot = Some(Cut { score, start, token });
                }
            };
            offer(start + character.len_utf8(), score + self.unknown_score, self.unknown);
            self.prefixes(text.as_bytes().get(start..).unwrap_or_default(), |at| {
                if let (Some(own), Some(id)) = (self.scores.get(at), self.ids.get(at)) {
                    offer(start + self.piece(at).len(), score + own, *id);
                }
            });
        }
        let mut tokens = Vec::new();
        let mut end = text.len();
        while let Some(cut) = best.get(end).copied().flatten() {
            tokens.push((cut.token, cut.start, end));
            end = cut.start;
        }
        tokens.reverse();
        // Unknown characters that follow each other are one token.
        tokens.dedup_by(|next, last| {
            let fused = next.0 == self.unknown && last.0 == self.unknown;
            if fused {
                last.2 = next.2;
            }
            fused
        });
        tokens
    }
}

impl<'de> Deserialize<'de> for Unigram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::new(UnigramFile::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Model for Unigram {
    type Trainer = UnigramTrainer;

    /// Tokens without their texts.
    fn tokenize(&self, sequence: &str) -> Result<Vec<Token>> {
        let token = |(id, start, end)| Token::new(id, String::new(), (start, end));
        Ok(self.cut(sequence).into_iter().map(token).collect())
    }

    fn token_to_id(&self, token: &str) -> Option<u32> {
        let mut found = None;
        self.prefixes(token.as_bytes(), |at| {
            if self.piece(at).len() == token.len() {
                found = self.ids.get(at).copied();
            }
        });
        found
    }

    /// Tokens are not turned back into text.
    fn id_to_token(&self, _: u32) -> Option<String> {
        None
    }

    fn get_vocab(&self) -> HashMap<String, u32> {
        let text = |at| String::from_utf8_lossy(self.piece(at)).into_owned();
        self.ids.iter().enumerate().map(|(at, id)| (text(at), *id)).collect()
    }

    fn get_vocab_size(&self) -> usize {
        self.ids.len()
    }

    fn save(&self, _: &Path, _: Option<&str>) -> Result<Vec<PathBuf>> {
        Err("the model is read only".into())
    }

    fn get_trainer(&self) -> UnigramTrainer {
        UnigramTrainer::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Unigram {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_most_probable_pieces_are_chosen_as_the_reference_does() {
        let json = r#"{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁", -3.0], ["a", -2.0], ["b", -2.5],
            ["ab", -3.0], ["▁ab", -5.5], ["abc", -9.0], ["é", -4.0], ["水", -6.0]]}"#;
        let (own, reference) =
            (read(json), serde_json::from_str::<tokenizers::models::unigram::Unigram>(json));
        let reference = reference.unwrap();
        for text in ["▁ab", "abab", "abc", "xyz", "aéx水y", "", "xx▁ab", "cabc"] {
            let ids =
                |tokens: Vec<Token>| tokens.into_iter().map(|token| (token.id, token.offsets)).collect();
            let (own, reference): (Vec<_>, Vec<_>) =
                (ids(own.tokenize(text).unwrap()), ids(reference.tokenize(text).unwrap()));
            assert_eq!(own, reference, "{text}");
        }
        assert_eq!(
            (own.token_to_id("▁ab"), own.token_to_id("▁a"), own.token_to_id("abc")),
            (Some(5), None, Some(6))
        );
    }

    #[test]
    fn what_is_not_supported_is_told() {
        for (json, reason) in [
            (r#"{"unk_id": null, "vocab": []}"#, "unk_id"),
            (r#"{"unk_id": 0, "vocab": [["a", 0]], "byte_fallback": true}"#, "byte_fallback"),
        ] {
            let refused = serde_json::from_str::<Unigram>(json).unwrap_err();
            assert!(refused.to_string().contains(reason), "{refused}");
        }
    }
}
