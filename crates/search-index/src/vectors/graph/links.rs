//! Neighbour lists of the graph.

use std::sync::atomic::{AtomicU32, Ordering};

/// Neighbours that a vector selects; on the lowest level it may have twice as many. 16 is the paper's and
/// hnswlib's usual number.
pub(super) const NEIGHBOURS: usize = 16;
/// Marks an empty entry of a list.
const NONE: u32 = u32::MAX;
/// Maximum levels above the lowest: enough for 16 to the 8th vectors.
const LEVELS: usize = 7;

/// The lists of all places on all their levels. They may be read while others are written; a walk then sees
/// some old and some new neighbours.
#[derive(Debug)]
pub(super) struct Links {
    places: u32,
    lowest: Vec<AtomicU32>,
    /// The lists of the levels above the lowest, concatenated.
    upper: Vec<AtomicU32>,
    /// Where the lists of a place begin, counted in lists.
    starts: Vec<u32>,
}

/// The highest level of a place. Each level has a sixteenth of the places of the one below, as the paper
/// proposes for `NEIGHBOURS` neighbours. It depends on the place alone (splitmix64), so that the same vectors
/// give the same levels.
pub(super) fn level(place: u32) -> usize {
    let mut bits = u64::from(place).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)).leading_zeros() as usize / 4).min(LEVELS)
}

impl Links {
    /// Lists for this many places; those of `old` are copied.
    pub(super) fn new(places: u32, old: Option<&Self>) -> Self {
        let mut starts = Vec::with_capacity(places as usize);
        let mut lists = 0;
        for place in 0..places {
            starts.push(lists);
            lists += level(place) as u32;
        }
        let copied = |from: Option<&Vec<AtomicU32>>, length: usize| {
            let old = from.into_iter().flatten().map(|link| link.load(Ordering::Relaxed));
            let filled = old.chain(std::iter::repeat(NONE)).take(length);
            filled.map(AtomicU32::new).collect()
        };
        Self {
            places,
            lowest: copied(old.map(|old| &old.lowest), places as usize * 2 * NEIGHBOURS),
            upper: copied(old.map(|old| &old.upper), lists as usize * NEIGHBOURS),
            starts,
        }
    }

    pub(super) fn places(&self) -> u32 {
        self.places
    }

    pub(super) fn bytes(&self) -> usize {
        (self.lowest.len() + self.upper.len() + self.starts.len()) * 4
    }

    /// The list of a place on one of its levels.
    fn list(&self, place: u32, level: usize) -> &[AtomicU32] {
        let (from, length, size) = match level {
            0 => (&self.lowest, 2 * NEIGHBOURS, Some(place as usize)),
            above => {
                let start = self.starts.get(place as usize).map(|start| *start as usize + above - 1);
                (&self.upper, NEIGHBOURS, start)
            }
        };
        size.and_then(|at| from.get(at * length..(at + 1) * length)).unwrap_or_default()
    }

    /// The neighbours of a place on one of its levels.
    pub(super) fn neighbours(&self, place: u32, level: usize) -> impl Iterator<Item = u32> {
        let links = self.list(place, level).iter().map(|link| link.load(Ordering::Relaxed));
        links.take_while(|neighbour| *neighbour != NONE)
    }

    /// Capacity of a list.
    pub(super) fn capacity(level: usize) -> usize {
        if level == 0 { 2 * NEIGHBOURS } else { NEIGHBOURS }
    }

    /// Writes a list. The caller locks the place.
    pub(super) fn write(&self, place: u32, level: usize, neighbours: &[u32]) {
        let all = neighbours.iter().copied().chain(std::iter::repeat(NONE));
        for (link, neighbour) in self.list(place, level).iter().zip(all) {
            link.store(neighbour, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_about_a_sixteenth_of_the_one_below() {
        let on = |least: usize| (0..100_000).filter(|place| level(*place) >= least).count();
        assert!((5_500..7_000).contains(&on(1)), "{}", on(1));
        assert!((300..500).contains(&on(2)), "{}", on(2));
    }

    #[test]
    fn lists_are_taken_over_when_there_are_more_places() {
        let high = (0..).find(|place| level(*place) >= 2).unwrap();
        let links = Links::new(high + 1, None);
        links.write(high, 0, &[1, 2]);
        links.write(high, 1, &[3]);
        links.write(high, 2, &[4; NEIGHBOURS]);
        let more = Links::new(high + 100, Some(&links));
        let of = |level| more.neighbours(high, level).collect::<Vec<_>>();
        assert_eq!((of(0), of(1), of(2)), (vec![1, 2], vec![3], vec![4; NEIGHBOURS]));
        assert_eq!(more.neighbours(high + 99, 0).count(), 0);
        assert_eq!(more.neighbours(high + 100, 0).count(), 0);
    }
}
