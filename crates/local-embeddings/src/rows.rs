//! Operations on each row of a matrix, which lies row after row. They run on the calling thread, with the widest
//! instructions of the processor.

use pulp::{Arch, NullaryFnOnce};

/// Adding this rounds a number of at most 4 million to a whole one, which then is in the low bits: 1.5 × 2^23.
const ROUNDING: f32 = 12_582_912.0;

/// Work on rows. A closure in its place would be called through a function of the compiler's, which has the narrow
/// instructions only.
trait RowWork {
    fn run(self);
}

/// Runs the work with the widest instructions of the processor.
fn dispatch(work: impl RowWork) {
    struct Call<W>(W);
    impl<W: RowWork> NullaryFnOnce for Call<W> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            self.0.run();
        }
    }
    Arch::new().dispatch(Call(work));
}

/// Rows as numbers of 8 bits.
pub(crate) struct QuantizedRows {
    pub(crate) numbers: Vec<u8>,
    /// Of each row.
    pub(crate) scales: Vec<f32>,
    /// The number that stands for 0, of each row.
    pub(crate) zeros: Vec<u8>,
}

impl QuantizedRows {
    /// Quantizes rows of `size` numbers, each over its own range with 0 in it.
    pub(crate) fn of(x: &[f32], size: usize) -> Self {
        let rows = x.len() / size.max(1);
        let mut quantized = Self {
            numbers: vec![0; x.len()],
            scales: Vec::with_capacity(rows),
            zeros: Vec::with_capacity(rows),
        };
        dispatch(Quantize { x, size: size.max(1), quantized: &mut quantized });
        quantized
    }
}

struct Quantize<'a> {
    x: &'a [f32],
    size: usize,
    quantized: &'a mut QuantizedRows,
}

impl RowWork for Quantize<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, size, quantized } = self;
        for (row, numbers) in x.chunks_exact(size).zip(quantized.numbers.chunks_exact_mut(size)) {
            let least = -greatest(row, |x| -x).max(0.0);
            let most = greatest(row, |x| x).max(0.0);
            let scale = ((most - least) / 255.0).max(f32::MIN_POSITIVE);
            let inverse = 1.0 / scale;
            let zero = (-least * inverse + ROUNDING) - ROUNDING;
            for (number, x) in numbers.iter_mut().zip(row) {
                *number = (x * inverse + zero + ROUNDING).to_bits() as u8;
            }
            quantized.scales.push(scale);
            quantized.zeros.push(zero as u8);
        }
    }
}

/// What turns the whole numbers of a layer's outputs back into real ones, for each output.
pub(crate) struct Columns {
    pub(crate) scales: Vec<f32>,
    /// The sum of the output's weights.
    pub(crate) sums: Vec<i32>,
    pub(crate) bias: Vec<f32>,
}

impl QuantizedRows {
    /// The products of the rows with the weights of `columns`, for each row one after the other, as real numbers, and
    /// with the bias.
    pub(crate) fn dequantize(&self, products: &[i32], columns: &Columns) -> Vec<f32> {
        let mut numbers = vec![0.0; products.len()];
        dispatch(Dequantize { numbers: &mut numbers, products, rows: self, columns });
        numbers
    }
}

struct Dequantize<'a> {
    numbers: &'a mut [f32],
    products: &'a [i32],
    rows: &'a QuantizedRows,
    columns: &'a Columns,
}

impl RowWork for Dequantize<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { numbers, products, rows, columns } = self;
        let width = columns.bias.len().max(1);
        let outputs = numbers.chunks_exact_mut(width).zip(products.chunks_exact(width));
        for ((numbers, products), (row, zero)) in outputs.zip(rows.scales.iter().zip(&rows.zeros)) {
            let zero = i32::from(*zero);
            let columns = columns.scales.iter().zip(&columns.sums).zip(&columns.bias);
            for ((number, product), ((column, sum), bias)) in numbers.iter_mut().zip(products).zip(columns) {
                *number = (product - zero * sum) as f32 * (row * column) + bias;
            }
        }
    }
}

/// The Gaussian error linear unit (Hendrycks and Gimpel, 2016) of each number.
pub(crate) fn gelu(x: &mut [f32]) {
    dispatch(Gelu(x));
}

struct Gelu<'a>(&'a mut [f32]);

impl RowWork for Gelu<'_> {
    #[inline(always)]
    fn run(self) {
        for number in self.0 {
            *number = 0.5 * *number * (1.0 + erf(*number * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

/// Layer normalization (Ba et al., 2016).
pub(crate) struct Norm {
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) epsilon: f32,
}

impl Norm {
    /// Adds `y` to `x` and normalizes each row.
    pub(crate) fn add_and_normalize(&self, x: &mut [f32], y: &[f32]) {
        dispatch(AddAndNormalize { norm: self, x, y });
    }
}

struct AddAndNormalize<'a> {
    norm: &'a Norm,
    x: &'a mut [f32],
    y: &'a [f32],
}

impl RowWork for AddAndNormalize<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { norm, x, y } = self;
        let width = norm.weights.len().max(1);
        for (x, y) in x.chunks_exact_mut(width).zip(y.chunks_exact(width)) {
            for (x, y) in x.iter_mut().zip(y) {
                *x += y;
            }
            let size = width as f32;
            let mean = sum(x, |x| x) / size;
            let variance = sum(x, |x| (x - mean) * (x - mean)) / size;
            let inverse = 1.0 / (variance + norm.epsilon).sqrt();
            for ((x, weight), bias) in x.iter_mut().zip(&norm.weights).zip(&norm.bias) {
                *x = (*x - mean) * inverse * weight + bias;
            }
        }
    }
}

/// The softmax of each row of `width` numbers.
pub(crate) fn softmax(x: &mut [f32], width: usize) {
    dispatch(Softmax { x, width: width.max(1) });
}

struct Softmax<'a> {
    x: &'a mut [f32],
    width: usize,
}

impl RowWork for Softmax<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, width } = self;
        for row in x.chunks_exact_mut(width) {
            let greatest = greatest(row, |x| x);
            for number in row.iter_mut() {
                *number = exp(*number - greatest);
            }
            let inverse = 1.0 / sum(row, |x| x);
            for number in row {
                *number *= inverse;
            }
        }
    }
}

/// The greatest result of `of` for the numbers, in 16 parts, which the processor compares at once.
#[inline(always)]
fn greatest(x: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    let mut parts = [f32::NEG_INFINITY; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (part, number) in parts.iter_mut().zip(chunk) {
            *part = greater(of(*number), *part);
        }
    }
    let rest = rest.iter().map(|number| of(*number)).fold(f32::NEG_INFINITY, greater);
    parts.into_iter().fold(rest, greater)
}

/// The sum of the results of `of` for the numbers, in 16 parts.
#[inline(always)]
fn sum(x: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut parts = [0.0_f32; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (part, number) in parts.iter_mut().zip(chunk) {
            *part += of(*number);
        }
    }
    parts.iter().sum::<f32>() + rest.iter().map(|number| of(*number)).sum::<f32>()
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
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let power = shifted - ROUNDING;
    let rest = (x - power * HIGH) - power * LOW;
    let series = 1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0 + rest * (1.0 / 5_040.0)));
    let series = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * series)));
    // The low bits of `shifted` are the power, which becomes an exponent; the others leave the number.
    series * f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23))
}

#[cfg(test)]
mod tests {
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
        let mut numbers = [1.0, -30.0];
        gelu(&mut numbers);
        assert!((numbers[0] - 0.841_344_7).abs() < 3e-7 && numbers[1].abs() < 1e-6);
    }

    #[test]
    fn rows_are_quantized_over_their_own_range() {
        let x: Vec<f32> = (0..40).map(|at| at as f32 / 10.0 - 1.0).chain([0.0; 40]).collect();
        let rows = QuantizedRows::of(&x, 40);
        for (at, x) in x.iter().enumerate() {
            let back = (f32::from(rows.numbers[at]) - f32::from(rows.zeros[at / 40])) * rows.scales[at / 40];
            assert!((back - x).abs() <= 0.01, "{at}: {back} for {x}");
        }
        assert_eq!((rows.numbers[0], rows.numbers[39], rows.zeros[0]), (0, 255, 65));
    }

    #[test]
    fn rows_are_normalized_and_shares_add_up() {
        let norm = Norm { weights: vec![2.0; 20], bias: vec![1.0; 20], epsilon: 0.0 };
        let mut x: Vec<f32> = (0..20).map(|at| at as f32).collect();
        norm.add_and_normalize(&mut x, &[5.0; 20]);
        let mean: f32 = x.iter().sum::<f32>() / 20.0;
        let spread: f32 = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / 20.0;
        assert!((mean - 1.0).abs() < 1e-5 && (spread - 4.0).abs() < 1e-4, "{mean} {spread}");
        let mut rates = [0.0, 0.0, f32::ln(2.0), 7.0, 7.0, -90.0];
        softmax(&mut rates, 3);
        for (own, truth) in rates.iter().zip([0.25, 0.25, 0.5, 0.5, 0.5, 0.0]) {
            assert!((own - truth).abs() < 1e-6, "{own} for {truth}");
        }
    }
}
