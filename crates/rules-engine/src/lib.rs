#![doc = include_str!("../README.md")]

mod answer;
mod extract;
mod model;
mod pattern;

pub use model::{Extractive, answer, probability, stream};
