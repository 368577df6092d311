//! The shell of Formwork: settings, composition root, HTTP interface and command line. It wires the domain
//! crates to their adapters and makes no domain decisions.

mod adapters;
mod administration;
pub mod app;
pub mod background;
mod backup;
mod browser;
pub mod cli;
mod contents;
mod conversations;
mod csv;
pub mod database;
mod database_lock;
mod doctor;
pub mod document_reading;
mod folder_probe;
pub mod generation;
mod health;
pub mod http;
pub mod knowledge;
pub mod meter;
mod metrics;
pub mod ocr;
mod parse;
mod parsers;
mod readiness;
mod reindex;
pub mod resources;
mod search;
pub mod serve;
mod service_manager;
pub mod settings;
mod shared_services;
pub mod shutdown;
pub mod url_signing;
mod web;
mod webhooks;
