//! Intake: pages of documents, targets of runs, classification to forms, and division of bundles.

mod classifier;
mod page_ranges;
mod several_forms;
mod splitter;
mod targets;
mod units;
mod uploads;

use serde_json::Value;

use crate::kit::{Parts, Server, pages_pdf};

/// Two invoices in one file, the first of two pages, with an empty sheet between them.
const BUNDLE: [&[&str]; 4] = [
    &[
        "Harbour Ltd",
        "Invoice",
        "Page 1 of 2",
        "Invoice number: A-1",
        "Date: 2 May 2024",
        "Due date: 1 June 2024",
    ],
    &["Page 2 of 2", "Total: 12.50 EUR", "Thank you for your order."],
    &[],
    &["Harbour Ltd", "Invoice", "Page 1 of 1", "Invoice number: B-2", "Date: 3 May 2024", "Total: 8.00 EUR"],
];

/// Uploads [`BUNDLE`]; gives its record.
async fn upload_bundle(server: &Server) -> Value {
    let parts = Parts::new().file("bundle.pdf", &pages_pdf(&BUNDLE));
    server.upload(parts).await.ok()[0].clone()
}
