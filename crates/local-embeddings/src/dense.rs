//! Linear layers with weights and activations of 8 bits, one scale for each row of either: the "dynamic quantization" of
//! ONNX Runtime and PyTorch.

use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

use crate::error::EncodeError;
use crate::rows::{Columns, QuantizedRows};

/// The greatest weight in 8 bits.
const MAX_WEIGHT: f32 = 127.0;
/// The same where the processor adds pairs of products in 16 bits (AVX2 without VNNI): 2 × 255 × 63 fits there.
const MAX_SATURATING_WEIGHT: f32 = 63.0;

/// What multiplies matrices, for this processor.
#[derive(Default)]
pub(crate) struct Kernels {
    pub(crate) integers: GemmExecutor<u8, i8, i32>,
    pub(crate) floats: GemmExecutor<f32, f32, f32>,
}

/// A linear layer.
pub(crate) struct Dense {
    weights: PackedBMatrix<i8>,
    inputs: usize,
    columns: Columns,
}

impl Dense {
    /// Quantizes `weights`, which has `inputs` numbers for each output.
    pub(crate) fn new(
        kernels: &Kernels,
        weights: &[f32],
        inputs: usize,
        bias: Vec<f32>,
    ) -> Result<Self, EncodeError> {
        let most = if kernels.integers.may_saturate() { MAX_SATURATING_WEIGHT } else { MAX_WEIGHT };
        let (mut scales, mut sums) = (Vec::with_capacity(bias.len()), Vec::with_capacity(bias.len()));
        let mut numbers = Vec::with_capacity(weights.len());
        for row in weights.chunks_exact(inputs.max(1)) {
            let greatest = row.iter().fold(0.0_f32, |greatest, weight| greatest.max(weight.abs()));
            let scale = if greatest > 0.0 { greatest / most } else { 1.0 };
            let start = numbers.len();
            numbers.extend(row.iter().map(|weight| (weight / scale).round() as i8));
            sums.push(numbers.iter().skip(start).map(|number| i32::from(*number)).sum());
            scales.push(scale);
        }
        let rows = NdTensorView::try_from_data([bias.len(), inputs], numbers.as_slice())?;
        let weights = kernels.integers.prepack_b(rows.transposed());
        Ok(Self { weights, inputs, columns: Columns { scales, sums, bias } })
    }

    /// The outputs for each row of `x`.
    pub(crate) fn forward(&self, kernels: &Kernels, x: &QuantizedRows) -> Result<Vec<f32>, EncodeError> {
        let rows = x.scales.len();
        let mut sums = vec![0_i32; rows * self.columns.bias.len()];
        let input = NdTensorView::try_from_data([rows, self.inputs], x.numbers.as_slice())?;
        // The zeros of the rows are subtracted afterwards: the option for them gave wrong sums (rten-gemm 0.27: with more rows than a tile, those of the first tile).
        let (a, b) = (GemmInputA::Unpacked(input), GemmInputB::Packed(&self.weights));
        kernels.integers.gemm(&mut sums, a, b, GemmOptions::default())?;
        Ok(x.dequantize(&sums, &self.columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_near_those_of_real_numbers() {
        // A vector, a row of a query, and the sizes of a model, which are multiplied in blocks.
        for (inputs, outputs, rows) in [
            (64, 48, 1),
            (384, 384, 12),
            (384, 384, 45),
            (1_536, 384, 45),
            (384, 1_536, 45),
            (384, 1_536, 150),
            (1_536, 384, 150),
        ] {
            let number = |at: usize| ((at * 7_919 % 2_003) as f32 / 1_001.5 - 1.0) * 0.7;
            let weights: Vec<f32> = (0..inputs * outputs).map(number).collect();
            let bias: Vec<f32> = (0..outputs).map(|at| number(at + 11)).collect();
            let x: Vec<f32> = (0..rows * inputs)
                .map(|at| number(at * 3 + 5) * 3.0 + (at / inputs % 17) as f32 / 4.0 - 2.0)
                .collect();
            let kernels = Kernels::default();
            let layer = Dense::new(&kernels, &weights, inputs, bias.clone()).unwrap();
            let found = layer.forward(&kernels, &QuantizedRows::of(&x, inputs)).unwrap();
            for (row, x) in x.chunks(inputs).enumerate() {
                let (mut errors, mut squares) = (0.0, 0.0);
                for (output, weights) in weights.chunks(inputs).enumerate() {
                    let truth: f32 = bias[output] + x.iter().zip(weights).map(|(x, w)| x * w).sum::<f32>();
                    let own = found[row * outputs + output];
                    errors += (own - truth) * (own - truth);
                    squares += truth * truth;
                }
                assert!(errors < squares * 5e-4, "{inputs} {row}: {errors} of {squares}");
            }
        }
        let kernels = Kernels::default();
        assert!(Dense::new(&kernels, &[0.0; 6], 4, vec![0.0; 2]).is_err());
    }
}
