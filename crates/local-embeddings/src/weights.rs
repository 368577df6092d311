//! The weights of a model in a safetensors file.

use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors};

use crate::error::EncodeError;
use crate::q4;
use crate::table::Table;

/// The tensors of a file, with the prefix of their names.
pub(crate) struct Weights<'a> {
    tensors: &'a SafeTensors<'a>,
    prefix: String,
}

impl<'a> Weights<'a> {
    /// All tensors. Their names may begin with `bert.`.
    pub(crate) fn new(tensors: &'a SafeTensors<'a>) -> Self {
        let plain = tensors.tensor("embeddings.word_embeddings.weight").is_ok();
        Self { tensors, prefix: if plain { String::new() } else { "bert.".to_owned() } }
    }

    /// The tensors whose names begin with `name` and a dot.
    pub(crate) fn within(&self, name: &str) -> Self {
        Self { tensors: self.tensors, prefix: format!("{}{name}.", self.prefix) }
    }

    /// A vector of `length` numbers.
    pub(crate) fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, EncodeError> {
        self.numbers(name, &[length])
    }

    /// A matrix, row after row: of floating-point numbers, or of blocks of 4 bits.
    pub(crate) fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>, EncodeError> {
        match self.blocks(name, rows, columns)? {
            Some(blocks) => Ok(q4::dequantize(blocks)),
            None => self.numbers(name, &[rows, columns]),
        }
    }

    /// A table of `columns` numbers a row. The file determines the number of rows.
    pub(crate) fn table(&self, name: &str, columns: usize) -> Result<Table, EncodeError> {
        let rows = self.shape(name)?.first().copied().unwrap_or_default();
        match self.blocks(name, rows, columns)? {
            Some(blocks) => Ok(Table::of_blocks(blocks.to_vec(), columns)),
            None => Ok(Table::of_numbers(&self.numbers(name, &[rows, columns])?, columns)),
        }
    }

    /// The number of outputs of a layer: the length of its bias.
    pub(crate) fn length(&self, name: &str) -> Result<usize, EncodeError> {
        Ok(self.shape(name)?.iter().product())
    }

    fn shape(&self, name: &str) -> Result<Vec<usize>, EncodeError> {
        Ok(self.tensors.tensor(&self.full(name))?.shape().to_vec())
    }

    /// The bytes of a matrix of 4 bits: Q4_0 blocks, one after the other in each row.
    fn blocks(&self, name: &str, rows: usize, columns: usize) -> Result<Option<&'a [u8]>, EncodeError> {
        let tensor = self.tensors.tensor(&self.full(name))?;
        if tensor.dtype() != Dtype::U8 {
            return Ok(None);
        }
        if !columns.is_multiple_of(q4::NUMBERS) || tensor.shape() != [rows, columns / q4::NUMBERS * q4::BYTES]
        {
            return Err(format!("{} has another shape", self.full(name)).into());
        }
        Ok(Some(tensor.data()))
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncodeError> {
        let name = self.full(name);
        let tensor = self.tensors.tensor(&name)?;
        if tensor.shape() != shape {
            return Err(format!("{name} has another shape").into());
        }
        let data = tensor.data();
        match tensor.dtype() {
            Dtype::F32 => Ok(data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
            Dtype::F16 => {
                Ok(data.as_chunks().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect())
            }
            Dtype::BF16 => {
                Ok(data.as_chunks().0.iter().map(|bytes| bf16::from_le_bytes(*bytes).to_f32()).collect())
            }
            other => Err(format!("{name} has numbers of the kind {other:?}, which is not supported").into()),
        }
    }

    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}
