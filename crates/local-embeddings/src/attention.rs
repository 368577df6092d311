//! Scaled dot-product attention with several heads (Vaswani et al., 2017), within each text.

use std::ops::Range;

use rten_gemm::{GemmInputA, GemmInputB, GemmOptions};
use rten_tensor::NdTensorView;

use crate::dense::Kernels;
use crate::error::EncodeError;
use crate::rows::softmax;

/// The projections of all tokens, a row of `size` numbers for each; every head has an equal share of a row.
pub(crate) struct Projections<'a> {
    pub(crate) query: &'a [f32],
    pub(crate) key: &'a [f32],
    pub(crate) value: &'a [f32],
    pub(crate) size: usize,
    pub(crate) heads: usize,
}

/// A row of `size` numbers for each token. `places` are the rows of the texts.
pub(crate) fn attend(
    kernels: &Kernels,
    of: &Projections<'_>,
    places: &[Range<usize>],
) -> Result<Vec<f32>, EncodeError> {
    let (size, width) = (of.size, of.size / of.heads);
    let shape = [of.query.len() / size, size];
    let query = NdTensorView::try_from_data(shape, of.query)?;
    let key = NdTensorView::try_from_data(shape, of.key)?;
    let value = NdTensorView::try_from_data(shape, of.value)?;
    let scaled = GemmOptions { alpha: 1.0 / (width as f32).sqrt(), ..GemmOptions::default() };
    let mut attended = vec![0.0; of.query.len()];
    for place in places.iter().filter(|place| !place.is_empty()) {
        let tokens = place.len();
        let mut shares = vec![0.0; tokens * tokens];
        let mut own = vec![0.0; tokens * width];
        for head in 0..of.heads {
            let part = (place.clone(), head * width..(head + 1) * width);
            let (a, b) = (query.slice(part.clone()), key.slice(part.clone()).transposed());
            kernels.floats.gemm(
                &mut shares,
                GemmInputA::Unpacked(a),
                GemmInputB::Unpacked(b),
                scaled.clone(),
            )?;
            softmax(&mut shares, tokens);
            let shares = NdTensorView::try_from_data([tokens, tokens], shares.as_slice())?;
            let (a, b) = (GemmInputA::Unpacked(shares), GemmInputB::Unpacked(value.slice(part)));
            kernels.floats.gemm(&mut own, a, b, GemmOptions::default())?;
            let rows = attended.chunks_exact_mut(size).skip(place.start);
            for (row, own) in rows.zip(own.chunks_exact(width)) {
                row.iter_mut().skip(head * width).zip(own).for_each(|(slot, number)| *slot = *number);
            }
        }
    }
    Ok(attended)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition.
    fn reference(of: &Projections<'_>, places: &[Range<usize>]) -> Vec<f32> {
        let width = of.size / of.heads;
        let mut attended = vec![0.0; of.query.len()];
        for place in places {
            for (token, head) in place.clone().flat_map(|token| (0..of.heads).map(move |head| (token, head)))
            {
                let row = |all: &[f32], token: usize| all[token * of.size + head * width..][..width].to_vec();
                let query = row(of.query, token);
                let rates: Vec<f32> = place
                    .clone()
                    .map(|other| {
                        let key = row(of.key, other);
                        query.iter().zip(&key).map(|(a, b)| a * b).sum::<f32>() / (width as f32).sqrt()
                    })
                    .collect();
                let sum: f32 = rates.iter().map(|rate| rate.exp()).sum();
                for (other, rate) in place.clone().zip(&rates) {
                    let value = row(of.value, other);
                    for (at, number) in value.iter().enumerate() {
                        attended[token * of.size + head * width + at] += number * rate.exp() / sum;
                    }
                }
            }
        }
        attended
    }

    #[test]
    fn each_text_attends_to_itself_as_the_definition_says() {
        let (size, heads) = (384, 12);
        let places = [0..1, 1..8, 8..8, 8..48];
        let number = |at: usize| ((at * 7_919 % 2_003) as f32 / 1_001.5 - 1.0) * 0.9;
        let rows = |salt: usize| (0..48 * size).map(|at| number(at * 3 + salt)).collect::<Vec<f32>>();
        let (query, key, value) = (rows(1), rows(500), rows(900));
        let of = Projections { query: &query, key: &key, value: &value, size, heads };
        let own = attend(&Kernels::default(), &of, &places).unwrap();
        for (at, (own, truth)) in own.iter().zip(reference(&of, &places)).enumerate() {
            assert!((own - truth).abs() < 1e-4, "{} {}: {own} for {truth}", at / size, at % size);
        }
    }
}
