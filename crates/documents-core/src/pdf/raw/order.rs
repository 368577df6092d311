//! Sorts blocks into reading order.
//!
//! After Breuel, "High Performance Document Layout Analysis" (2003): a block comes before another if it is
//! above it and overlaps it horizontally, or if it is to its left and no block in between spans both; the
//! order is a topological sort. There are two additions. Blocks that share no line with others are extended
//! over those below them, so that a headline of one word precedes all its columns. And four blocks in an
//! aligned two-by-two arrangement are cells: tables of such cells are read row by row and are one unit for
//! the blocks around them.

use super::block_growing::Block;
use kurbo::Rect;

/// Maximum blocks of a page that are sorted; more stay in order from the top. Protects memory: each has two
/// sets of all.
const MAX_BLOCKS: usize = 4_000;
/// Edges or middles of cells that differ by less than this many font sizes are aligned.
/// Chosen by hand; no measurement recorded.
const ALIGNED: f64 = 0.5;

/// Sorts blocks; `rtl` for pages that are read from right to left.
pub(super) fn sort_blocks(blocks: Vec<Block>, rtl: bool, effort: &mut usize) -> Vec<Block> {
    let count = blocks.len();
    // Each pair is compared some times, and its sets, of 64 blocks a word.
    let cost = count * count * (4 + count / 64);
    if !(2..=MAX_BLOCKS).contains(&count) || cost > *effort {
        return blocks;
    }
    *effort -= cost;
    let mirrored = |area: Rect| Rect::new(-area.x1, area.y0, -area.x0, area.y1);
    let place = |block: &Block| Place {
        area: if rtl { mirrored(block.area) } else { block.area },
        size: block.words.first().map_or(0.0, |word| word.size),
    };
    let order = Relations::of(blocks.iter().map(place).collect()).sorted();
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| blocks.get_mut(index)?.take()).collect()
}

/// Position of a block, and its font size.
struct Place {
    area: Rect,
    size: f64,
}

/// The precedence relations of the blocks.
struct Relations {
    areas: Vec<Rect>,
    /// The table of each block, by the index of one of its cells.
    tables: Vec<Option<usize>>,
    /// The extended areas.
    reaches: Vec<Rect>,
    /// For each block those that it is above, and those that are above it.
    above: Vec<BitSet>,
    below: Vec<BitSet>,
}

impl Relations {
    fn of(places: Vec<Place>) -> Self {
        let tables = tables(&places);
        let areas: Vec<Rect> = places.iter().map(|place| place.area).collect();
        let reaches = reaches(&areas, &tables);
        let count = areas.len();
        let (mut above, mut below) = (vec![BitSet::new(count); count], vec![BitSet::new(count); count]);
        for (a, upper) in reaches.iter().enumerate() {
            for (b, lower) in reaches.iter().enumerate() {
                if a != b && overlaps_x(upper, lower) && upper.y0 < lower.y0 {
                    above[a].set(b);
                    below[b].set(a);
                }
            }
        }
        Self { areas, tables, reaches, above, below }
    }

    /// Whether block `a` precedes block `b`.
    fn is_before(&self, a: usize, b: usize) -> bool {
        if self.tables[a].is_some() && self.tables[a] == self.tables[b] {
            let (first, second) = (self.areas[a], self.areas[b]);
            return first.y1 <= second.y0 || (first.x1 <= second.x0 && overlaps_y(&first, &second));
        }
        self.above[a].contains(b)
            || (self.reaches[a].x1 <= self.reaches[b].x0 && !self.above[b].intersects(&self.below[a]))
    }

    /// A topological order; blocks with contradicting relations stay in order.
    fn sorted(&self) -> Vec<usize> {
        let count = self.areas.len();
        let mut order = Vec::with_capacity(count);
        let mut visited = vec![false; count];
        for first in 0..count {
            // Blocks that wait for their predecessors, each with the next one to check.
            let mut waiting = Vec::new();
            if !std::mem::replace(&mut visited[first], true) {
                waiting.push((first, 0));
            }
            while let Some((block, next)) = waiting.last_mut() {
                let block = *block;
                let found = (*next..count).find(|other| !visited[*other] && self.is_before(*other, block));
                match found {
                    Some(other) => {
                        *next = other + 1;
                        visited[other] = true;
                        waiting.push((other, 0));
                    }
                    None => {
                        order.push(block);
                        waiting.pop();
                    }
                }
            }
        }
        order
    }
}

/// The tables that blocks are cells of: each block with its right neighbour, the one below and the one below
/// on the right, if these form a grid.
fn tables(places: &[Place]) -> Vec<Option<usize>> {
    let mut tables: Vec<Option<usize>> = vec![None; places.len()];
    for index in 0..places.len() {
        let Some(grid) = grid(index, places) else { continue };
        let known: Vec<usize> = grid.iter().filter_map(|cell| tables[*cell]).collect();
        let table = known.iter().copied().min().unwrap_or(index);
        for place in &mut tables {
            if place.is_some_and(|place| known.contains(&place)) {
                *place = Some(table);
            }
        }
        grid.iter().for_each(|cell| tables[*cell] = Some(table));
    }
    tables
}

fn grid(index: usize, places: &[Place]) -> Option<[usize; 4]> {
    let area = &places[index].area;
    let (mut right, mut below, mut across) = (None, None, None);
    let nearest = |best: Option<(usize, f64)>, other: usize, at: f64| match best {
        Some((_, least)) if least <= at => best,
        _ => Some((other, at)),
    };
    for (other, Place { area: place, .. }) in places.iter().enumerate() {
        if overlaps_y(area, place) && place.x0 > area.x1 {
            right = nearest(right, other, place.x0);
        } else if overlaps_x(area, place) && place.y0 > area.y1 {
            below = nearest(below, other, place.y0);
        } else if place.x0 > area.x1 && place.y0 > area.y1 {
            across = nearest(across, other, place.y0 + place.x0);
        }
    }
    let (right, below, across) = (right?.0, below?.0, across?.0);
    let (east, south, corner) = (&places[right].area, &places[below].area, &places[across].area);
    let crosses = |a: &Rect, b: &Rect| overlaps_x(a, b) || overlaps_y(a, b);
    let reach = ALIGNED * places[index].size;
    let is_grid = !overlaps_x(south, corner)
        && !overlaps_y(east, corner)
        && !crosses(east, south)
        && is_aligned(x_range(area), x_range(south), reach)
        && is_aligned(x_range(east), x_range(corner), reach)
        && is_aligned(y_range(area), y_range(east), reach)
        && is_aligned(y_range(south), y_range(corner), reach);
    is_grid.then_some([index, right, below, across])
}

/// Whether two overlapping ranges have an equal beginning, end or middle.
fn is_aligned(a: (f64, f64), b: (f64, f64), reach: f64) -> bool {
    let (start, end) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    let middle = (f64::midpoint(a.0, a.1) - f64::midpoint(b.0, b.1)).abs();
    a.0 <= b.1 && b.0 <= a.1 && start.min(end).min(middle) < reach
}

fn x_range(area: &Rect) -> (f64, f64) {
    (area.x0, area.x1)
}

fn y_range(area: &Rect) -> (f64, f64) {
    (area.y0, area.y1)
}

/// The extended area of each block: a cell has that of its table; others extend over the blocks below them,
/// as far as their neighbours allow.
fn reaches(areas: &[Rect], tables: &[Option<usize>]) -> Vec<Rect> {
    let mut whole: std::collections::HashMap<usize, Rect> = std::collections::HashMap::new();
    for (area, table) in areas.iter().zip(tables) {
        if let Some(table) = table {
            whole.entry(*table).and_modify(|all| *all = all.union(*area)).or_insert(*area);
        }
    }
    let table_of = |table: &Option<usize>| table.and_then(|table| whole.get(&table).copied());
    areas
        .iter()
        .zip(tables)
        .map(|(area, table)| table_of(table).unwrap_or_else(|| reach(area, areas)))
        .collect()
}

fn reach(area: &Rect, areas: &[Rect]) -> Rect {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for other in areas.iter().filter(|other| overlaps_y(area, other)) {
        if other.x0 > area.x1 {
            high = high.min(other.x0);
        }
        if other.x1 < area.x0 {
            low = low.max(other.x1);
        }
    }
    let mut reach = *area;
    for below in areas.iter().filter(|other| other.y0 >= area.y1) {
        if below.x1 <= high {
            reach.x1 = reach.x1.max(below.x1);
        }
        if below.x0 >= low {
            reach.x0 = reach.x0.min(below.x0);
        }
    }
    reach
}

fn overlaps_x(a: &Rect, b: &Rect) -> bool {
    a.x0 <= b.x1 && b.x0 <= a.x1
}

fn overlaps_y(a: &Rect, b: &Rect) -> bool {
    a.y0 <= b.y1 && b.y0 <= a.y1
}

/// A set of small numbers.
#[derive(Clone)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}
