//! The extraction engine with a scripted model.
#![allow(clippy::unwrap_used, reason = "helpers of tests assert, too")]

mod built_in;
mod common;
mod conditions;
mod date_precision;
mod evidence;
mod faults;
mod guidance;
mod ink;
mod invoices;
mod kept;
mod lists;
mod long;
mod maps;
mod marks;
mod merging;
mod money;
mod picture_calls;
mod pictures;
mod reader;
mod steps;
mod templates;
mod totals;
mod trust;
mod unions;
mod units;
