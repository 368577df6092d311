#![doc = include_str!("../README.md")]

mod answer;
mod extract;
mod model;
pub mod nlu;
mod pattern;
pub mod schema;

pub use model::{Extractive, answer, probability, stream};
