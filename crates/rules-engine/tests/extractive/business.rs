//! Invoices, contracts, leases and statements.

use serde_json::json;

use crate::{check, date, text, typed};

#[test]
fn an_invoice_of_labels_and_values_is_read_and_the_rest_stays_empty() {
    check(
        "Northwind Tools Ltd\n12 Harbour Road\nBristol BS1 4QA\n\nInvoice No: NW-2024-118\nInvoice date: 03/04/2024\n\
         Due date: 17/04/2024\nCustomer: Greta Olsen\nPayment terms: 14 days net\n\nSubtotal: £1,000.00\nVAT (20%): £200.00\n\
         Total due: £1,200.00\n\nIBAN: GB33BUKB20201555555555\nE-mail: accounts@northwind.example\n",
        &json!({
            "vendor": text("Company that issued the invoice"), "invoice_number": text(""), "invoice_date": date(),
            "due_date": date(), "customer_name": text(""), "payment_terms": text(""), "subtotal": typed("number"),
            "tax_amount": typed("number"), "total": typed("number"), "iban": text(""), "email": text(""),
            "delivery_date": date(), "purchase_order": text(""), "jurisdiction": text("")
        }),
        &json!({
            "vendor": "Northwind Tools Ltd", "invoice_number": "NW-2024-118", "invoice_date": "2024-04-03",
            "due_date": "2024-04-17", "customer_name": "Greta Olsen", "payment_terms": "14 days net", "subtotal": 1000.0,
            "tax_amount": 200.0, "total": 1200.0, "iban": "GB33BUKB20201555555555", "email": "accounts@northwind.example",
            "delivery_date": null, "purchase_order": null, "jurisdiction": null
        }),
    );
}

#[test]
fn the_columns_of_a_laid_out_invoice_are_kept_apart() {
    check(
        "Bluebird Studio GmbH                                   INVOICE\nLindenstraße 5\n10969 Berlin\n\n\
         Bill to:                             Ship to:\nOrchid Media Inc.                    Orchid Warehouse\n\
         400 Pine Street                      9 Dock Lane\nSeattle, WA 98101                    Tacoma, WA 98402\n\n\
         Invoice Number      Invoice Date      Due Date\nBB-77               2024-05-06        2024-06-05\n\n\
         Amount due                                    $ 2,340.00\n",
        &json!({
            "company": text("Who issued it"), "address": text("Address of the company"), "customer": text("Name of the customer"),
            "customer_address": text(""), "invoice_number": text(""), "invoice_date": date(), "due_date": date(),
            "total": typed("number"), "currency": text("")
        }),
        &json!({
            "company": "Bluebird Studio GmbH", "address": "Lindenstraße 5 10969 Berlin", "customer": "Orchid Media Inc.",
            "customer_address": "400 Pine Street Seattle, WA 98101", "invoice_number": "BB-77",
            "invoice_date": "2024-05-06", "due_date": "2024-06-05", "total": 2340.0, "currency": "USD"
        }),
    );
}

#[test]
fn a_lease_gives_its_parties_dates_and_sums() {
    check(
        "# Residential lease\n\nLandlord: Harold Finch\nTenant: Sameen Shaw\nProperty address: 18 Mulberry Street, Apt 4, New York, NY 10013\n\n\
         Start date: September 1, 2023\nEnd date: August 31, 2024\nMonthly rent: $2,150.00\nSecurity deposit: $4,300.00\nPets allowed: No\n\
         Furnished: yes\n",
        &json!({
            "landlord": text("Name of the landlord"), "tenant": text("Name of the tenant"), "property_address": text(""),
            "start_date": date(), "end_date": date(), "monthly_rent": typed("number"), "deposit": typed("number"),
            "pets_allowed": typed("boolean"), "furnished": typed("boolean"), "smoking_allowed": typed("boolean"),
            "birth_date": date()
        }),
        &json!({
            "landlord": "Harold Finch", "tenant": "Sameen Shaw", "property_address": "18 Mulberry Street, Apt 4, New York, NY 10013",
            "start_date": "2023-09-01", "end_date": "2024-08-31", "monthly_rent": 2150.0, "deposit": 4300.0,
            "pets_allowed": false, "furnished": true, "smoking_allowed": null, "birth_date": null
        }),
    );
}

#[test]
fn a_contract_in_prose_gives_what_its_defined_terms_name() {
    check(
        "MUTUAL NON-DISCLOSURE AGREEMENT\n\nThis Agreement is made as of 5 May 2020 (the \"Effective Date\") between Alder Systems, Inc. and \
         Birch Labs LLC.\n\n7. Governing law: State of Delaware\n",
        &json!({ "effective_date": date(), "jurisdiction": text("Governing law"), "termination_date": date(), "total": typed("number") }),
        &json!({ "effective_date": "2020-05-05", "jurisdiction": "State of Delaware", "termination_date": null, "total": null }),
    );
}

#[test]
fn one_date_is_no_due_birth_or_delivery_date() {
    check(
        "CORNER CAFE\n21 MAIN STREET\n12/03/2018 14:05\nTea 2.00\nTotal 2.00\n",
        &json!({
            "date": text("Date of the receipt"), "due_date": text(""), "birth_date": date(), "delivery_date": date(), "start_date": date(),
            "deadline": json!({"type": "string", "description": "Date by which it is due"}),
            "paid_by": json!({"type": ["string", "null"], "format": "date", "description": "Due date of the payment"})
        }),
        &json!({
            "date": "12/03/2018", "due_date": null, "birth_date": null, "delivery_date": null, "start_date": null,
            "deadline": null, "paid_by": null
        }),
    );
}
