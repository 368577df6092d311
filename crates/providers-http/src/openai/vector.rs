//! The vector of an answer, as a list of numbers or as base64.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// Maximum number of dimensions of a vector; the largest on the market have 4,096. Bounds the memory.
const LONGEST: usize = 65_536;

/// A vector, from a list of numbers or from little-endian 32-bit floats in base64.
#[derive(Debug)]
pub(super) struct Vector(pub(super) Vec<f32>);

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VectorVisitor)
    }
}

struct VectorVisitor;

impl<'de> Visitor<'de> for VectorVisitor {
    type Value = Vector;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a vector")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vector, E> {
        let bytes = STANDARD.decode(text).map_err(E::custom)?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || numbers.len() > LONGEST {
            return Err(E::custom("not a vector of 32-bit floats"));
        }
        Ok(Vector(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vector, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element()? {
            if numbers.len() == LONGEST {
                return Err(A::Error::custom("the vector is too long"));
            }
            numbers.push(number);
        }
        Ok(Vector(numbers))
    }
}
