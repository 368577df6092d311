//! Elementwise and row-wise operations. Candle's own use a thread pool of the whole process, with a thread
//! per processor. These run on the calling thread, and fuse several steps.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;

/// `x + y`, where `y` is broadcast over `x`, such as a bias over rows.
pub(crate) fn plus(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    x.apply_op2_no_bwd(y, &Plus { gelu: false })
}

/// The Gaussian error linear unit (Hendrycks and Gimpel, 2016) of `x + y`.
pub(crate) fn gelu_of_plus(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    x.apply_op2_no_bwd(y, &Plus { gelu: true })
}

/// The softmax of each row of `(texts, heads, tokens, tokens)`. Only the first `lengths[text]` numbers of a
/// row count; the others, which are padding, become 0.
pub(crate) fn softmax(rates: &Tensor, lengths: &[usize]) -> Result<Tensor> {
    rates.apply_op1_no_bwd(&Softmax { lengths: lengths.to_vec() })
}

struct Plus {
    gelu: bool,
}

impl CustomOp2 for Plus {
    fn name(&self) -> &'static str {
        "plus"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        y: &CpuStorage,
        y_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, y) = (as_f32_slice(x, x_layout)?, as_f32_slice(y, y_layout)?);
        if y.is_empty() || !x.len().is_multiple_of(y.len()) {
            bail!("{} numbers cannot be added to {}", y.len(), x.len());
        }
        let mut sums = vec![0.0; x.len()];
        let arch = Arch::new();
        for (sums, x) in sums.chunks_exact_mut(y.len()).zip(x.chunks_exact(y.len())) {
            match self.gelu {
                true => arch.dispatch(
                    #[inline(always)]
                    || add(sums, x, y, gelu),
                ),
                false => arch.dispatch(
                    #[inline(always)]
                    || add(sums, x, y, |sum| sum),
                ),
            }
        }
        Ok((CpuStorage::F32(sums), x_layout.shape().clone()))
    }
}

#[inline(always)]
fn add(sums: &mut [f32], x: &[f32], y: &[f32], then: impl Fn(f32) -> f32) {
    for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
        *sum = then(x + y);
    }
}

struct Softmax {
    lengths: Vec<usize>,
}

impl CustomOp1 for Softmax {
    fn name(&self) -> &'static str {
        "softmax"
    }

    fn cpu_fwd(&self, rates: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let rates = as_f32_slice(rates, layout)?;
        let (texts, heads, rows, columns) = layout.shape().dims4()?;
        if texts != self.lengths.len() {
            bail!("{texts} texts, but {} lengths", self.lengths.len());
        }
        let mut shares = vec![0.0; rates.len()];
        let (arch, of_text) = (Arch::new(), (heads * rows * columns).max(1));
        let of_texts = shares.chunks_exact_mut(of_text).zip(rates.chunks_exact(of_text)).zip(&self.lengths);
        for ((shares, rates), length) in of_texts {
            let rows = shares.chunks_exact_mut(columns.max(1)).zip(rates.chunks_exact(columns.max(1)));
            for (shares, rates) in rows {
                let (shares, _) = shares.split_at_mut(columns.min(*length));
                let (rates, _) = rates.split_at(columns.min(*length));
                arch.dispatch(
                    #[inline(always)]
                    || softmax_row(shares, rates),
                );
            }
        }
        Ok((CpuStorage::F32(shares), layout.shape().clone()))
    }
}

#[inline(always)]
fn softmax_row(shares: &mut [f32], rates: &[f32]) {
    let most = rates.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for (share, rate) in shares.iter_mut().zip(rates) {
        *share = exp(rate - most);
    }
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
}

fn as_f32_slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (CpuStorage::F32(all), Some((from, to))) = (storage, layout.contiguous_offsets()) else {
        bail!("the tensor must be contiguous and of 32-bit floats");
    };
    match all.get(from..to) {
        Some(numbers) => Ok(numbers),
        None => bail!("the range {from} to {to} exceeds the {} numbers of the tensor", all.len()),
    }
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function to 2e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let amount = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * amount);
    let series =
        t * (0.254_829_6 + t * (-0.284_496_72 + t * (1.421_413_8 + t * (-1.453_152_1 + t * 1.061_405_4))));
    (1.0 - series * exp(-amount * amount)).copysign(x)
}

/// The exponential function for x ≤ 0: a power of two times a Taylor series of the rest. The error of the
/// series is below the precision of `f32`.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const HIGH: f32 = 0.693_359_4;
    const LOW: f32 = -2.121_944_4e-4;
    // Below -87 the result is not a normal number.
    let x = x.max(-87.0);
    // Adding and subtracting 1.5 × 2^23 rounds to a whole number.
    let power = (x * std::f32::consts::LOG2_E + 12_582_912.0) - 12_582_912.0;
    let rest = (x - power * HIGH) - power * LOW;
    let series = 1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0 + rest * (1.0 / 5_040.0)));
    let series = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * series)));
    series * f32::from_bits(((power as i32 + 127) << 23) as u32)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn exponential_and_gelu_are_near_the_truth() {
        for step in -8_700..=0 {
            let x = step as f32 / 100.0;
            let truth = f64::from(x).exp();
            assert!((f64::from(exp(x)) - truth).abs() <= 3e-7 * truth, "{x}: {} {truth}", exp(x));
        }
        // Known values of the error function.
        for (x, truth) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (9.0, 1.0)]
        {
            assert!((erf(x) - truth).abs() < 3e-7 && (erf(-x) + truth).abs() < 3e-7, "{x}: {}", erf(x));
        }
        assert!((gelu(1.0) - 0.841_344_7).abs() < 3e-7 && gelu(-30.0).abs() < 1e-6);
    }

    #[test]
    fn a_bias_is_added_to_each_row_and_padding_has_no_share() {
        let device = &Device::Cpu;
        let x = Tensor::new(&[[1f32, 2.0], [3.0, 4.0]], device).unwrap();
        let bias = Tensor::new(&[10f32, 20.0], device).unwrap();
        assert_eq!(plus(&x, &bias).unwrap().to_vec2::<f32>().unwrap(), [[11.0, 22.0], [13.0, 24.0]]);
        assert!(plus(&bias, &Tensor::new(&[1f32, 2.0, 3.0], device).unwrap()).is_err());
        let rates = Tensor::new(&[0f32, 0.0, 5.0, 0.0, 0.0, 5.0, 7.0, 7.0, 7.0], device).unwrap();
        let shares = softmax(&rates.reshape((1, 1, 3, 3)).unwrap(), &[2]).unwrap();
        let shares = shares.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(shares, [0.5, 0.5, 0.0, 0.5, 0.5, 0.0, 0.5, 0.5, 0.0]);
    }
}
