//! Letters, mails and forms.

use serde_json::json;

use crate::{check, date, text, typed};

#[test]
fn an_application_gives_the_applicants_data() {
    check(
        "Application for employment\n\nName: Maria Lopez\nDate of birth: 14 July 1991\nPhone: +34 612 345 678\nEmail: maria.lopez@example.org\n\
         Position: Data analyst\nExpected salary: 42,000\nAvailable from: 1 October 2024\nDriving licence: yes\n\nDear Sir or Madam,\n\
         I would like to apply for the position above.\n",
        &json!({
            "name": text("Full name of the applicant"), "birth_date": date(), "phone": text(""), "email": {"type": "string", "format": "email"},
            "position": text("Position applied for"), "expected_salary": typed("number"), "available_from": date(),
            "driving_licence": typed("boolean"), "iban": text(""), "end_date": date(), "fax": text("")
        }),
        &json!({
            "name": "Maria Lopez", "birth_date": "1991-07-14", "phone": "+34 612 345 678", "email": "maria.lopez@example.org",
            "position": "Data analyst", "expected_salary": 42000.0, "available_from": "2024-10-01", "driving_licence": true,
            "iban": null, "end_date": null, "fax": null
        }),
    );
}

#[test]
fn a_medical_form_gives_ticked_boxes_and_keeps_people_apart() {
    check(
        "PATIENT REGISTRATION\n\n## Patient\nName: John Carter Date of birth: 02/11/1968\nSex: [ ] female [x] male\nPhone: 555-014-2233\n\n\
         ## Emergency contact\nName: Abby Lockhart\nPhone: 555-014-9988\n\n## History\nSmoker: ☐ Yes ☑ No\n☑ Diabetes\n☐ Asthma\n\
         Insurance number: HX-99120\n",
        &json!({
            "patient_name": text("Name of the patient"), "birth_date": date(),
            "sex": {"type": ["string", "null"], "enum": ["female", "male", "other"]},
            "emergency_contact_name": text(""), "emergency_contact_phone": text(""), "smoker": typed("boolean"),
            "diabetes": typed("boolean"), "asthma": typed("boolean"), "insurance_number": text(""), "allergies": text("Known allergies")
        }),
        &json!({
            "patient_name": "John Carter", "birth_date": "1968-11-02", "sex": "male", "emergency_contact_name": "Abby Lockhart",
            "emergency_contact_phone": "555-014-9988", "smoker": false, "diabetes": true, "asthma": false,
            "insurance_number": "HX-99120", "allergies": null
        }),
    );
}

#[test]
fn a_mail_gives_its_head_and_what_it_labels() {
    check(
        "From: Tom Weaver <tom@weaver.example>\nTo: support@shop.example\nDate: 4 March 2024\nSubject: Broken kettle\n\n\
         Hello,\nmy order number is 88-1204-7. Priority: high\nRegards\nTom\nTel. 020 7946 0123\nFax 020 7946 0999\n",
        &json!({
            "subject": text(""), "date": date(), "order_number": text(""),
            "priority": {"type": ["string", "null"], "enum": ["", "low", "normal", "high"]}, "phone": text(""), "fax": text(""),
            "website": {"type": ["string", "null"], "format": "uri"}
        }),
        &json!({
            "subject": "Broken kettle", "date": "2024-03-04", "order_number": "88-1204-7", "priority": "high",
            "phone": "020 7946 0123", "fax": "020 7946 0999", "website": null
        }),
    );
}

#[test]
fn nested_objects_are_filled_and_null_when_nothing_is_known() {
    check(
        "Supplier: Delta Parts Ltd\nSupplier phone: +44 20 7946 0000\nQuantity: 12\nUnit price: 3.50\nDiscount: 5%\n",
        &json!({
            "supplier": {"type": "object", "properties": {"name": text(""), "phone": text("")}},
            "quantity": typed("integer"), "unit_price": typed("number"), "discount_percent": typed("number"),
            "carrier": {"type": ["object", "null"], "properties": {"name": text("Name of the carrier"), "tracking_code": text("")}}
        }),
        &json!({
            "supplier": {"name": "Delta Parts Ltd", "phone": "+44 20 7946 0000"}, "quantity": 12, "unit_price": 3.5,
            "discount_percent": 5.0, "carrier": null
        }),
    );
}

#[test]
fn a_bare_noun_is_not_the_label_of_something_particular() {
    check(
        "Date: 4 March 2024\nEmail: info@shop.example\nNo: 17\nName: Kim\nAmount: 12.00\n",
        &json!({
            "signature_date": date(), "manager_email": text("E-mail of the manager"), "passport_number": text(""),
            "project_name": text(""), "refund_amount": typed("number"), "date": date(), "full_name": text("")
        }),
        &json!({
            "signature_date": null, "manager_email": null, "passport_number": null, "project_name": null, "refund_amount": null,
            "date": "2024-03-04", "full_name": "Kim"
        }),
    );
}
