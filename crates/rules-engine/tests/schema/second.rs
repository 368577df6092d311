//! Phrases that rules were mended on after they had been measured once.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Create a form for wedding photographers where couples enter both names, the wedding date, venue address, expected number of guests, package (basic, premium or deluxe) and any special wishes.",
        fields: "both_names/names:string; wedding_date:date; venue_address:string; expected_number_of_guests:integer; package:string(basic|premium|deluxe); special_wishes:string",
    },
    Case {
        phrase: "tattoo consent form: full name, date of birth, is the client pregnant?, do they have any skin conditions?, tattoo placement, artist name, signature date",
        fields: "full_name:string; date_of_birth:date; client_pregnant/pregnant/is_pregnant:boolean; skin_conditions/have_skin_conditions/has_skin_conditions:boolean; tattoo_placement:string; artist_name:string; signature_date:date",
    },
    Case {
        phrase: "Warehouse goods-in sheet\n- supplier (required)\n- delivery note number (required)\n- received on\n- received by\n- pallets (whole number)\n- damaged goods? yes/no\n- remarks",
        fields: "supplier:string!; delivery_note_number:string!; received_on:date; received_by:string; pallets:integer; damaged_goods:boolean; remarks:string",
    },
    Case {
        phrase: "I'd like to track book loans for our library. For every loan we need the borrower's name, library card number, book title, loan date, return date and whether the book was returned late.",
        fields: "borrower_name:string; library_card_number:string; book_title:string; loan_date:date; return_date:date; book_returned_late/returned_late/was_returned_late:boolean",
    },
    Case {
        phrase: "music school enrolment: student name, instrument (piano, violin, guitar, drums), level (beginner, intermediate, advanced), preferred lesson day, parent email (required if the student is under 18)",
        fields: "student_name:string; instrument:string(piano|violin|guitar|drums); level:string(beginner|intermediate|advanced); preferred_lesson_day:string; parent_email:email",
    },
    Case {
        phrase: "Schema for a product review with product name, star rating (1-5), review title, review text up to 2000 characters, verified purchase (boolean) and pictures (list of URLs)",
        fields: "product_name:string; star_rating:integer; review_title:string; review_text:string; verified_purchase:boolean; pictures[]url",
    },
    Case {
        phrase: "customs declaration with exporter (name, address, country), importer (name, address, country), goods with description, HS code, quantity, net weight in kg and value, and total value in USD",
        fields: "exporter{name:string; address:string; country:string}; importer{name:string; address:string; country:string}; goods[]{description:string; hs_code:string; quantity:integer; net_weight:number; value:number}; total_value:number",
    },
    Case {
        phrase: "optician order: patient, prescription for left eye with sphere, cylinder and axis, prescription for right eye with sphere, cylinder and axis, frame model, price, pickup date",
        fields: "patient:string; prescription_for_left_eye{sphere:number; cylinder:number; axis:number}; prescription_for_right_eye{sphere:number; cylinder:number; axis:number}; frame_model:string; price:number; pickup_date:date",
    },
    Case {
        phrase: "Charity donation form. Donor name, email and amount are required. Also ask for a phone number, whether the donation is anonymous and how often: once, monthly or yearly.",
        fields: "donor_name:string!; email:email!; amount:number!; phone_number:string; donation_anonymous/is_anonymous/anonymous:boolean; how_often:string(once|monthly|yearly)",
    },
    Case {
        phrase: "meeting minutes: title, date, start time, end time, chair, attendees, decisions, action items each with task, owner and due date",
        fields: "title:string; date:date; start_time:string; end_time:string; chair:string; attendees[]string; decisions:string; action_items[]{task:string; owner:string; due_date:date}",
    },
    Case {
        phrase: "Funeral home first call: name of the deceased, date of death, time of death, place of death, next of kin (name, relationship, phone), burial or cremation, religious affiliation if any",
        fields: "name_of_deceased/deceased_name:string; date_of_death:date; time_of_death:string; place_of_death:string; next_of_kin{name:string; relationship:string; phone:string}; burial_or_cremation:string(burial|cremation); religious_affiliation:string?",
    },
    Case {
        phrase: "print shop job ticket; customer; job name; paper size (A3, A4, A5); paper weight in gsm; colour or black and white; copies; binding - none, stapled, spiral; deadline; price quoted",
        fields: "customer:string; job_name:string; paper_size:string(A3|A4|A5); paper_weight:number; colour_or_black_and_white/colour:string; copies:integer; binding:string(none|stapled|spiral); deadline:date; price_quoted:number",
    },
    Case {
        phrase: "Anmeldung zum Sommerlager: Name des Kindes, Geburtsdatum, Adresse mit Straße, PLZ und Ort, Telefonnummer der Eltern, Allergien (optional), Schwimmer (ja/nein) und T-Shirt-Größe (S, M oder L)",
        fields: "name_des_kindes/name_kindes:string; geburtsdatum:date; adresse{strasse:string; plz:string; ort:string}; telefonnummer_der_eltern/telefonnummer_eltern:string; allergien:string?; schwimmer:boolean; t_shirt_groesse:string(S|M|L)",
    },
    Case {
        phrase: "Wir brauchen ein Formular für Schadensmeldungen. Felder: Versicherungsnummer (Pflicht), Schadensdatum (Pflicht), Schadensort, Beschreibung, geschätzte Schadenshöhe in Euro, Zeugen (Liste), Polizei informiert (ja/nein).",
        fields: "versicherungsnummer:string!; schadensdatum:date!; schadensort:string; beschreibung:string; geschaetzte_schadenshoehe:number; zeugen[]string; polizei_informiert:boolean",
    },
    Case {
        phrase: "Formulaire d'inscription à un cours de cuisine : nom, prénom, courriel, téléphone (facultatif), niveau (débutant, intermédiaire, confirmé), allergies alimentaires et nombre de participants",
        fields: "nom:string; prenom:string; courriel:email; telephone:string?; niveau:string(débutant|intermédiaire|confirmé); allergies_alimentaires:string; nombre_de_participants:integer",
    },
    Case {
        phrase: "Bon de commande comprenant le numéro de commande, la date de commande, le fournisseur, les articles (référence, quantité, prix unitaire), le montant total et le mode de paiement : carte, virement ou chèque",
        fields: "numero_de_commande:string; date_de_commande:date; fournisseur:string; articles[]{reference:string; quantite:integer; prix_unitaire:number}; montant_total:number; mode_de_paiement:string(carte|virement|chèque)",
    },
    Case {
        phrase: "Ficha de paciente con nombre, apellidos, fecha de nacimiento, sexo (hombre, mujer, otro), teléfono, alergias, medicación actual y si fuma",
        fields: "nombre:string; apellidos:string; fecha_de_nacimiento:date; sexo:string(hombre|mujer|otro); telefono:string; alergias:string; medicacion_actual:string; fuma:boolean",
    },
    Case {
        phrase: "Necesito un formulario para reservas de hotel que pida: nombre del huésped (obligatorio), fecha de llegada, fecha de salida, número de personas, tipo de habitación (individual, doble o suite), desayuno incluido (sí/no) y comentarios (opcional)",
        fields: "nombre_del_huesped:string!; fecha_de_llegada:date; fecha_de_salida:date; numero_de_personas:integer; tipo_de_habitacion:string(individual|doble|suite); desayuno_incluido:boolean; comentarios:string?",
    },
    Case {
        phrase: "first name, last name, job title, LinkedIn URL, current salary, desired salary, notice period in weeks, open to relocation (yes/no)",
        fields: "first_name:string; last_name:string; job_title:string; linkedin_url:url; current_salary:number; desired_salary:number; notice_period:number; open_to_relocation:boolean",
    },
    Case {
        phrase: "Please build me a maintenance request form for tenants. It should contain the tenant's name, apartment number, a phone number, the room, a description of the issue, urgency (low/normal/high) and permission to enter.",
        fields: "tenant_name:string; apartment_number:string; phone_number:string; room:string; description_of_issue:string; urgency:string(low|normal|high); permission_to_enter:boolean",
    },
    Case {
        phrase: "Name (text, required)\nEmail (email, required)\nPlan (one of: free, pro, enterprise)\nSeats (integer, at least 1)\nBilling contact (object with name and email)\nTags (list)",
        fields: "name:string!; email:email!; plan:string(free|pro|enterprise); seats:integer; billing_contact{name:string; email:email}; tags[]string",
    },
    Case {
        phrase: "vehicle inspection report including licence plate, odometer reading, inspection date, brakes ok (yes/no), lights ok (yes/no), tyre depth in mm, list of defects with part, description and severity from 1 to 3, and inspector's signature",
        fields: "licence_plate:string; odometer_reading:number; inspection_date:date; brakes_ok:boolean; lights_ok:boolean; tyre_depth:number; defects[]{part:string; description:string; severity:integer}; inspector_signature:string",
    },
    Case {
        phrase: "Podcast guest application - guest name, short bio, website, social media links, topic, audience size, available dates, previous podcast experience (none, some, a lot)",
        fields: "guest_name:string; bio/short_bio:string; website:url; social_media_links[]url; topic:string; audience_size:number; available_dates:date; previous_podcast_experience:string(none|some|a lot)",
    },
    Case {
        phrase: "Grant application. Applicant organisation, contact person with name, email and phone, project title, summary (max 500 characters), requested amount in EUR, start date, end date, budget lines with item and cost, and declaration of honesty accepted.",
        fields: "applicant_organisation:string; contact_person{name:string; email:email; phone:string}; project_title:string; summary:string; requested_amount:number; start_date:date; end_date:date; budget_lines[]{item:string; cost:number}; declaration_of_honesty_accepted:boolean",
    },
    Case {
        phrase: "how many adults, how many children, arrival date, departure date, pets yes or no, and the reason for the stay: business or leisure",
        fields: "number_of_adults:integer; number_of_children:integer; arrival_date:date; departure_date:date; pets:boolean; reason_for_stay:string(business|leisure)",
    },
    Case {
        phrase: "Extract the following from each contract: party A, party B, effective date, termination date, contract value, currency, governing law and auto-renewal (true or false)",
        fields: "party_a:string; party_b:string; effective_date:date; termination_date:date; contract_value:number; currency:string; governing_law:string; auto_renewal:boolean",
    },
    Case {
        phrase: "water quality sample with station id, sampling date and time, temperature (°C), pH between 0 and 14, turbidity, dissolved oxygen in mg/l, and sampled by",
        fields: "station_id:string; sampling_date_and_time:string; temperature:number; ph:number; turbidity:number; dissolved_oxygen:number; sampled_by:string",
    },
    Case {
        phrase: "A quick poll asking for age group (under 18, 18-35, 36-60, over 60), favourite colour, and satisfaction from 1 to 10",
        fields: "age_group:string(under 18|18-35|36-60|over 60); favourite_colour:string; satisfaction:integer",
    },
    Case {
        phrase: "Order form for flower shop: sender's name, recipient's name, recipient's address, delivery date, bouquet size small, medium or large, card message (optional, max 200 characters), total price",
        fields: "sender_name:string; recipient_name:string; recipient_address:string; delivery_date:date; bouquet_size:string(small|medium|large); card_message:string?; total_price:number",
    },
    Case {
        phrase: "Employee onboarding:\n1) Personal details: full name, date of birth, home address\n2) Bank account (IBAN, BIC)\n3) Emergency contact (name, phone number)\n4) Laptop needed? (y/n)\n5) First working day",
        fields: "full_name:string; date_of_birth:date; home_address:string; bank_account{iban:string; bic:string}; emergency_contact{name:string; phone_number:string}; laptop_needed:boolean; first_working_day:date",
    },
    Case {
        phrase: "patient's name; systolic and diastolic blood pressure; heart rate in bpm; oxygen saturation (%); temperature; any medication taken (list); nurse's notes",
        fields: "patient_name:string; systolic_blood_pressure:number; diastolic_blood_pressure:number; heart_rate:number; oxygen_saturation:number; temperature:number; medication_taken[]string; nurse_notes:string",
    },
    Case {
        phrase: "Trip report with destination, purpose, departure and return dates, means of transport (car, train, plane), kilometres driven, hotel costs, meals, total costs and signature",
        fields: "destination:string; purpose:string; departure_date:date; return_date:date; means_of_transport:string(car|train|plane); kilometres_driven:number; hotel_costs:number; meals:string; total_costs:number; signature:string",
    },
    Case {
        phrase: "For each employee: name, employee id, hours worked, overtime hours, hourly rate, and gross pay",
        fields: "name:string; employee_id:string; hours_worked:number; overtime_hours:number; hourly_rate:number; gross_pay:number",
    },
    Case {
        phrase: "Swimming pool maintenance log. Record date, technician, chlorine level, pH level, water temperature, filter cleaned yes/no, chemicals added (list of name and amount), next visit.",
        fields: "date:date; technician:string; chlorine_level:number; ph_level:number; water_temperature:number; filter_cleaned:boolean; chemicals_added[]{name:string; amount:number}; next_visit:date",
    },
    Case {
        phrase: "a contact form with name (mandatory), e-mail (mandatory), subject (choose from: sales, support, press) and message (mandatory, at least 20 characters)",
        fields: "name:string!; e_mail:email!; subject:string(sales|support|press); message:string!",
    },
    Case {
        phrase: "Beehive inspection: hive number, date, queen seen (yes/no), brood frames (integer), temperament (calm, nervous, aggressive), honey supers, treatment given, and next steps",
        fields: "hive_number:string; date:date; queen_seen:boolean; brood_frames:integer; temperament:string(calm|nervous|aggressive); honey_supers:string; treatment_given:string; next_steps:string",
    },
    Case {
        phrase: "IT equipment request. We need to know who is asking, their department, which equipment they need, the quantity, the urgency - low, medium or high - and the cost centre.",
        fields: "who_is_asking/who_asking:string; department:string; equipment/which_equipment:string; quantity:integer; urgency:string(low|medium|high); cost_centre:string",
    },
    Case {
        phrase: "translation job: source language, target language(s), word count, subject area, deadline, certified translation required (yes/no), reference files (list of links), rate per word",
        fields: "source_language:string; target_languages/target_language[]string; word_count:integer; subject_area:string; deadline:date; certified_translation_required:boolean; reference_files[]url; rate_per_word:number",
    },
    Case {
        phrase: "Survey about remote work: department; days per week at home (0-5); home office equipped? (yes/no); biggest challenge; productivity: lower, same or higher; would you like to continue working remotely?",
        fields: "department:string; days_per_week_at_home:integer; home_office_equipped:boolean; biggest_challenge:string; productivity:string(lower|same|higher); like_to_continue_working_remotely/continue_working_remotely/would_like_to_continue_working_remotely:boolean",
    },
    Case {
        phrase: "dog boarding: owner (first name, last name, phone), dog's name, breed, birth year, weight, neutered (yes/no), feeding instructions, drop-off and pick-up date, vet contact - all required except feeding instructions",
        fields: "owner{first_name:string; last_name:string; phone:string}!; dog_name:string!; breed:string!; birth_year:integer!; weight:number!; neutered:boolean!; feeding_instructions:string; drop_off_date:date!; pick_up_date:date!; vet_contact:string!",
    },
    Case {
        phrase: "landscaping quote request: client, site address (street, town, postcode), garden size in m², services wanted (mowing, planting, paving, fencing - select all that apply), preferred start, budget between 500 and 50000",
        fields: "client:string; site_address{street:string; town:string; postcode:string}; garden_size:number; services_wanted[]string(mowing|planting|paving|fencing); preferred_start:date; budget:number",
    },
];
