//! A table of vectors, of 8 or 4 bits a number.

use crate::q4;

/// Rows of numbers, by token.
pub(crate) struct Table {
    columns: usize,
    rows: Rows,
}

enum Rows {
    /// Numbers of 8 bits, with a scale for each row.
    Bytes { numbers: Vec<i8>, scales: Vec<f32> },
    /// Q4_0 blocks.
    Blocks(Vec<u8>),
}

impl Table {
    /// Quantizes floating-point numbers to 8 bits.
    pub(crate) fn of_numbers(rows: &[f32], columns: usize) -> Self {
        let mut numbers = Vec::with_capacity(rows.len());
        let mut scales = Vec::new();
        for row in rows.chunks_exact(columns.max(1)) {
            let greatest = row.iter().fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()));
            let scale = greatest / 127.0;
            numbers.extend(row.iter().map(|number| (number / scale).round() as i8));
            scales.push(scale);
        }
        Self { columns, rows: Rows::Bytes { numbers, scales } }
    }

    pub(crate) fn of_blocks(blocks: Vec<u8>, columns: usize) -> Self {
        Self { columns, rows: Rows::Blocks(blocks) }
    }

    /// Adds the row to `sums`; `false` when there is none.
    pub(crate) fn add(&self, row: usize, sums: &mut [f32]) -> bool {
        match &self.rows {
            Rows::Bytes { numbers, scales } => {
                let start = row * self.columns;
                let (Some(numbers), Some(scale)) =
                    (numbers.get(start..start + self.columns), scales.get(row))
                else {
                    return false;
                };
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f32::from(*number) * scale);
            }
            Rows::Blocks(blocks) => {
                let bytes = self.columns / q4::NUMBERS * q4::BYTES;
                let Some(blocks) = blocks.get(row * bytes..(row + 1) * bytes) else {
                    return false;
                };
                q4::add(blocks, sums);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_added_and_one_beyond_the_end_is_told() {
        let table = Table::of_numbers(&[1.0, -0.5, 0.0, 2.0], 2);
        let mut sums = [10.0, 10.0];
        assert!(table.add(0, &mut sums));
        assert!((sums[0] - 11.0).abs() < 0.01 && (sums[1] - 9.5).abs() < 0.01, "{sums:?}");
        assert!(!table.add(2, &mut sums));
        assert!(!Table::of_blocks(vec![0; 18], 32).add(1, &mut [0.0; 32]));
    }
}
