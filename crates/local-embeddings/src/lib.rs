#![doc = include_str!("../README.md")]

mod attention;
mod bert;
mod dense;
mod encoder;
mod error;
mod folder;
mod install;
mod models;
mod q4;
mod rows;
mod table;
mod tokens;
mod unigram;
mod weights;

pub use error::LocalModelError;
pub use install::{ModelSource, install, uninstall};
pub use models::{LocalModels, check_folder, list_model_folders};
