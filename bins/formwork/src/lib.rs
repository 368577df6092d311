//! The shell of Formwork: settings, composition root, HTTP interface and command line. It wires the domain
//! crates to their adapters and makes no domain decisions.

pub mod app;
pub mod background;
mod backup;
mod browser;
pub mod cli;
mod conversations;
mod csv;
pub mod database;
mod doctor;
pub mod document_reading;
mod folder_probe;
pub mod generation;
pub mod http;
pub mod knowledge;
mod limit_flags;
pub mod meter;
pub mod ocr;
mod parse;
mod parsers;
pub mod readiness;
mod reindex;
pub mod resources;
mod search;
pub mod serve;
pub mod settings;
pub mod shutdown;
pub mod url_signing;
mod web;
mod webhooks;
