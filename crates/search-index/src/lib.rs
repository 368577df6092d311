#![doc = include_str!("../README.md")]

mod vectors;

pub use vectors::{VectorSettings, Vectors};
