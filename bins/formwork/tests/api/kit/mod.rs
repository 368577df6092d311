//! What every test here stands on: a real server in a folder of its own, requests whose answers are
//! checked against the description, sample bodies, and the open corpus where it is at hand.

mod answer;
mod call;
mod corpus;
mod description;
mod postgres;
mod preload;
mod raw;
mod samples;
mod server;

pub(crate) use answer::Answer;
pub(crate) use call::{Call, Parts};
pub(crate) use corpus::corpus;
pub(crate) use description::{description, matches, operations};
pub(crate) use postgres::Postgres;
pub(crate) use preload::preload;
pub(crate) use samples::{encrypted_pdf, invoice, invoice_schema, page_and_scan, pages_pdf, two_pages};
pub(crate) use server::{Home, Server, formwork, settle};
