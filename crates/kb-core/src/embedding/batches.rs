//! Selects the texts to embed, cuts them to the model's limit, and groups them into batches. Pure.

use std::collections::HashMap;

use gen_core::{GenService, ModelId, estimate_tokens, prefix_of_tokens};

use crate::{Chunk, ContentHash};

/// Maximum texts of one call. A failed call is paid again, so a batch is not larger than what vendors answer
/// in a second or two.
const TEXTS: usize = 64;
/// Maximum tokens of one call, as estimated; less than small accounts may send in a minute.
const TOKENS: usize = 16_384;
/// Maximum tokens of a text when the model's limit is not known.
const LONGEST: usize = 8_192;

/// A text to embed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Hash of the whole text.
    pub(super) hash: ContentHash,
    /// The part of it that the model reads.
    pub(super) text: String,
    /// Number of chunks that have it.
    pub(super) chunks: u64,
}

/// Maximum tokens of a text, as estimated. The estimate counts one token for four letters, where English has
/// nearly five. A text that is still too long is cut or refused by the model.
pub(super) fn longest(generation: &GenService, model: &ModelId) -> usize {
    let known = generation.describe(model).context_tokens;
    let known = known.and_then(|tokens| usize::try_from(tokens).ok()).filter(|tokens| *tokens > 0);
    known.map_or(LONGEST, |tokens| tokens.saturating_mul(5) / 4)
}

/// The beginning of a text, up to the model's limit.
pub(super) fn cut(text: &str, tokens: usize) -> &str {
    prefix_of_tokens(text, tokens)
}

/// The distinct texts of chunks, in order. Blank ones are skipped: they have no meaning to search by, and
/// providers refuse them.
pub(super) fn texts(chunks: &[Chunk], longest: usize) -> Vec<Text> {
    let mut places: HashMap<ContentHash, usize> = HashMap::new();
    let mut texts: Vec<Text> = Vec::new();
    for chunk in chunks {
        let whole = chunk.embedded_text();
        let read = cut(&whole, longest);
        if read.trim().is_empty() {
            continue;
        }
        let hash = ContentHash::of(&whole);
        let place = *places.entry(hash).or_insert(texts.len());
        match texts.get_mut(place) {
            Some(text) => text.chunks += 1,
            None => texts.push(Text { hash, text: read.to_owned(), chunks: 1 }),
        }
    }
    texts
}

/// The texts in batches of one call each.
pub(super) fn batches(texts: Vec<Text>) -> Vec<Vec<Text>> {
    let mut batches: Vec<Vec<Text>> = Vec::new();
    let mut room = 0_usize;
    for text in texts {
        let tokens = estimate_tokens(&text.text);
        match batches.last_mut().filter(|batch| batch.len() < TEXTS && tokens <= room) {
            Some(batch) => {
                room -= tokens;
                batch.push(text);
            }
            None => {
                room = TOKENS.saturating_sub(tokens);
                batches.push(vec![text]);
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(position: u32, heading: &str, text: &str) -> Chunk {
        Chunk { position, page: None, start: 0, end: 0, heading: heading.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn equal_texts_are_one_and_the_blank_are_none() {
        let chunks =
            [chunk(0, "", "oak"), chunk(1, "", " \n"), chunk(2, "Trees", "oak"), chunk(3, "", "oak")];
        let texts = texts(&chunks, 100);
        let told: Vec<_> = texts.iter().map(|text| (text.text.as_str(), text.chunks)).collect();
        assert_eq!(told, [("oak", 2), ("Trees\n\noak", 1)]);
        assert_eq!(texts[1].hash, chunks[2].hash());
    }

    #[test]
    fn a_text_is_cut_to_what_the_model_reads_and_keeps_the_name_of_the_whole() {
        let chunks = [chunk(0, "", &"oak ".repeat(50))];
        let texts = texts(&chunks, 10);
        assert_eq!(texts[0].text.len(), 40);
        assert_eq!(texts[0].hash, chunks[0].hash());
    }

    #[test]
    fn a_batch_ends_at_its_number_of_texts_or_of_tokens() {
        let text = |length: usize| Text { hash: ContentHash([0; 16]), text: "a".repeat(length), chunks: 1 };
        let sizes = |texts: Vec<Text>| batches(texts).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(vec![text(4); 130]), [64, 64, 2]);
        assert_eq!(sizes(vec![text(TOKENS); 9]), [4, 4, 1]);
        assert_eq!(sizes(vec![text(TOKENS * 5); 2]), [1, 1]);
        assert!(sizes(Vec::new()).is_empty());
    }
}
