//! Spreadsheets, e-mail, Office documents until 2003, JSON, XML and archives.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

mod archives;
mod doc;
mod eml;
mod json;
mod msg;
mod ods;
mod ppt;
mod sniffing;
mod support;
mod xls;
mod xlsb;
mod xlsx;
mod xml;
