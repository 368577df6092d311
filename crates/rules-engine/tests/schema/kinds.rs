//! Phrases that name a form and none of its fields.

use rules_engine::schema::generate_schema;

/// The names of the fields of a phrase's form.
fn names(phrase: &str) -> Vec<String> {
    generate_schema(phrase).unwrap().keys().cloned().collect()
}

#[test]
fn a_phrase_without_fields_gets_those_of_its_kind() {
    for (phrase, wanted) in [
        ("an invoice", &["invoice_number", "invoice_date", "line_items", "total_amount"][..]),
        ("customer feedback form", &["rating", "comments"]),
        ("patient intake", &["full_name", "date_of_birth", "allergies", "emergency_contact"]),
        ("I need a job application form", &["full_name", "email", "years_of_experience", "skills"]),
        ("Create a contact form for my website.", &["name", "email", "message"]),
        ("form for booking a table at a restaurant", &["name", "party_size", "date_and_time"]),
        ("bug report", &["subject", "description", "priority", "steps_to_reproduce"]),
        ("a purchase order", &["supplier", "line_items", "total_amount"]),
        ("something to report a workplace accident", &["date_of_incident", "location", "severity"]),
        ("weekly timesheet", &["employee_name", "entries", "total_hours"]),
        ("Leave request form", &["type_of_leave", "start_date", "end_date"]),
        ("CV", &["full_name", "experience", "education", "skills"]),
        ("vet clinic intake", &["owner_name", "pet_name", "species"]),
        ("a recipe", &["title", "ingredients", "steps"]),
        ("eine Rechnung", &["rechnungsnummer", "positionen", "gesamtbetrag"]),
        ("Kontaktformular", &["name", "e_mail", "nachricht"]),
        ("une facture", &["numero_de_facture", "montant_total"]),
        ("un formulaire de contact", &["nom", "adresse_e_mail", "message"]),
        ("un formulario de contacto", &["nombre", "correo_electronico", "mensaje"]),
        ("una factura", &["numero_de_factura", "importe_total"]),
    ] {
        let found = names(phrase);
        for name in wanted {
            assert!(found.iter().any(|field| field == name), "{phrase}: no {name} in {found:?}");
        }
    }
}

#[test]
fn a_form_whose_kind_is_unknown_is_small_and_plain() {
    assert_eq!(names("Make a form"), ["name", "date", "description"]);
    assert_eq!(
        names("please make me a form to collect thoughts on the general situation of things"),
        ["name", "date", "description"]
    );
}

#[test]
fn definitions_sent_as_json_are_taken_as_they_are_meant() {
    assert_eq!(names(r#"{"name": {"type": "string"}, "age": {"type": "number"}}"#), ["name", "age"]);
    assert_eq!(names(r#"{"Full Name": "text", "Born": "date"}"#), ["full_name", "born"]);
}

#[test]
fn what_the_phrase_lists_comes_before_what_its_kind_would_have() {
    assert_eq!(names("an invoice with number, date and total"), ["number", "date", "total"]);
}
