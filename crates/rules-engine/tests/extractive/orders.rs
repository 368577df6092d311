//! Papers in other languages than English.

use serde_json::json;

use crate::{check, date, text, typed};

#[test]
fn a_german_order_confirmation_is_read() {
    check(
        "Holzwerk Krüger GmbH\nSägeweg 12\n34117 Kassel\n\nAuftragsbestätigung\n\nBestellnummer: 4711-B\nKundennummer: K-2093\n\
         Bestelldatum: 3. März 2024\nLiefertermin: 18.03.2024\nAnsprechpartner: Frau Petra Lang\nTelefon: 0561 123456\n\n\
         Zwischensumme      1.250,00 €\nMwSt. 19 %           237,50 €\nGesamtbetrag       1.487,50 €\n\n\
         Zahlungsbedingungen: 30 Tage netto\nUSt-IdNr.: DE123456789\n",
        &json!({
            "company": text(""), "address": text(""), "order_number": text(""), "customer_number": text(""), "order_date": date(),
            "delivery_date": date(), "contact_person": text(""), "phone": text(""), "total": typed("number"), "tax": typed("number"),
            "payment_terms": text(""), "vat_id": text(""), "due_date": date(), "iban": text("")
        }),
        &json!({
            "company": "Holzwerk Krüger GmbH", "address": "Sägeweg 12 34117 Kassel", "order_number": "4711-B",
            "customer_number": "K-2093", "order_date": "2024-03-03", "delivery_date": "2024-03-18",
            "contact_person": "Frau Petra Lang", "phone": "0561 123456", "total": 1487.5, "tax": 237.5,
            "payment_terms": "30 Tage netto", "vat_id": "DE123456789", "due_date": null, "iban": null
        }),
    );
}

#[test]
fn a_french_invoice_is_read() {
    check(
        "Atelier Lumière SARL\n8 rue des Lilas\n69003 Lyon\n\nFacture n° : F2024-031\nDate : 1er février 2024\nÉchéance : 2 mars 2024\n\
         Client : Mme Claire Dubois\n\nTotal HT 100,00 €\nTVA 20 % 20,00 €\nTotal TTC 120,00 €\n",
        &json!({
            "issuer": text(""), "invoice_number": text(""), "date": date(), "due_date": date(), "customer": text("Name"),
            "total": typed("number"), "purchase_order": text("")
        }),
        &json!({
            "issuer": "Atelier Lumière SARL", "invoice_number": "F2024-031", "date": "2024-02-01", "due_date": "2024-03-02",
            "customer": "Mme Claire Dubois", "total": 120.0, "purchase_order": null
        }),
    );
}

#[test]
fn a_spanish_order_is_read() {
    check(
        "Panadería Sol S.L.\nCalle Mayor 14\n28013 Madrid\n\nPedido nº: 556\nFecha: 5 de enero de 2022\nCliente: Bar Luna\n\
         Fecha de entrega: 9 de enero de 2022\nImporte total: 84,30 €\nCorreo: hola@panaderia.example\n",
        &json!({
            "company": text(""), "order_number": text(""), "date": date(), "customer": text("Customer's name"), "delivery_date": date(),
            "total": typed("number"), "email": text(""), "phone": text("")
        }),
        &json!({
            "company": "Panadería Sol S.L.", "order_number": "556", "date": "2022-01-05", "customer": "Bar Luna",
            "delivery_date": "2022-01-09", "total": 84.3, "email": "hola@panaderia.example", "phone": null
        }),
    );
}

#[test]
fn day_and_month_follow_the_evidence_of_the_whole_document() {
    let dates = json!({ "invoice_date": date(), "due_date": date() });
    check(
        "Invoice date: 03/04/2024\nDue date: 04/25/2024\n",
        &dates,
        &json!({ "invoice_date": "2024-03-04", "due_date": "2024-04-25" }),
    );
    check(
        "Invoice date: 03/04/2024\nDue date: 25/04/2024\n",
        &dates,
        &json!({ "invoice_date": "2024-04-03", "due_date": "2024-04-25" }),
    );
}
