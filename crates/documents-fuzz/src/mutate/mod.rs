//! Mutates a file: its bytes, its parts, and the content within them.

mod bytes;
mod words;

use crate::container::{Container, Part};
use crate::random::Random;

pub(crate) use words::Dictionary;

/// Maximum bytes of a mutated file.
const LARGEST: usize = 4 << 20;
/// Parts above this size in bytes are stored uncompressed.
const LARGE: usize = 64 << 10;
/// Maximum nesting of files within files that are mutated.
const DEPTH: u32 = 2;

/// Mutates a file. `donor` is another file of the same format.
pub(crate) fn mutate(
    container: Container,
    file: &[u8],
    donor: &[u8],
    words: &Dictionary,
    random: &mut Random,
) -> Vec<u8> {
    let mut damaged = mutate_parts(container, file, donor, words, random, DEPTH);
    damaged.truncate(LARGEST);
    damaged
}

fn mutate_parts(
    container: Container,
    file: &[u8],
    donor: &[u8],
    words: &Dictionary,
    random: &mut Random,
    depth: u32,
) -> Vec<u8> {
    // Sometimes the container itself is mutated.
    let parts = if random.one_in(8) { None } else { container.unpack(file) };
    let Some(mut parts) = parts else { return content(file, donor, words, random) };
    let others = container.unpack(donor).unwrap_or_default();
    for _ in 0..1 + random.below(3) {
        if random.one_in(10) {
            arrange(&mut parts, &others, random);
        } else {
            damage_part(&mut parts, &others, words, random, depth);
        }
    }
    // Compressing large parts for each case would dominate the time.
    if container == Container::Zip {
        parts.iter_mut().filter(|part| part.content.len() > LARGE).for_each(|part| part.packed = false);
    }
    let packed = container.pack(&parts).unwrap_or_else(|| file.to_vec());
    // Container and content may be damaged together.
    if random.one_in(20) { content(&packed, donor, words, random) } else { packed }
}

/// Removes, duplicates, renames or swaps parts.
fn arrange(parts: &mut Vec<Part>, others: &[Part], random: &mut Random) {
    let (one, two) = (random.below(parts.len()), random.below(parts.len()));
    let Some(part) = parts.get(one).cloned() else { return };
    match random.below(6) {
        0 if parts.len() > 1 => {
            parts.remove(one);
        }
        1 => parts.push(part),
        2 => parts.swap(one, two),
        3 => {
            let name = part.name.clone();
            if let Some(other) = parts.get_mut(two) {
                other.name = name;
            }
        }
        4 => {
            if let (Some(part), Some(other)) = (parts.get_mut(one), random.pick(others)) {
                part.content.clone_from(&other.content);
            }
        }
        _ => {
            if let Some(other) = parts.get_mut(two) {
                *other = Part { name: other.name.clone(), ..part };
            }
        }
    }
}

fn damage_part(parts: &mut [Part], others: &[Part], words: &Dictionary, random: &mut Random, depth: u32) {
    let index = random.below(parts.len());
    let Some(part) = parts.get_mut(index) else { return };
    let same = others.iter().find(|other| other.name == part.name).filter(|_| random.one_in(2));
    let nothing = Part::default();
    let donor = same.or_else(|| random.pick(others)).unwrap_or(&nothing);
    let head = part.content.is_empty() || (!part.head.is_empty() && random.one_in(3));
    if head {
        part.head = content(&part.head, &donor.head, words, random);
        return;
    }
    part.content = match Container::of(&part.content) {
        Container::Plain => content(&part.content, &donor.content, words, random),
        inner if depth > 0 => mutate_parts(inner, &part.content, &donor.content, words, random, depth - 1),
        _ => content(&part.content, &donor.content, words, random),
    };
}

/// Mutates bytes according to their apparent format.
fn content(bytes: &[u8], donor: &[u8], words: &Dictionary, random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..1 << random.below(4) {
        if words::looks_like_text(&damaged) && !random.one_in(5) {
            words::damage(&mut damaged, donor, words, random);
        } else {
            bytes::damage(&mut damaged, donor, random);
        }
        damaged.truncate(LARGEST);
    }
    damaged
}
