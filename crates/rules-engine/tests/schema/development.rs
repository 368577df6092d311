//! Phrases that the rules were made on, with the fields they describe.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "a form for a job applicant with name, email, years of experience (number), and preferred contact: phone or email",
        fields: "name:string; email:email; years_of_experience:number; preferred_contact:string(phone|email)",
    },
    Case {
        phrase: "Plumbing call-out form with customer name, phone number, address with street, city and postcode, description of the problem, and whether the water is shut off",
        fields: "customer_name:string; phone_number:string; address{street:string; city:string; postcode:string}; description_of_problem:string; water_shut_off:boolean",
    },
    Case {
        phrase: "Dentist intake:\n- Full name (required)\n- Date of birth (required)\n- Insurance provider\n- Allergies (list)\n- Last visit date\n- Pain level 1-10",
        fields: "full_name:string!; date_of_birth:date!; insurance_provider:string; allergies[]string; last_visit_date:date; pain_level:integer",
    },
    Case {
        phrase: "I need a hotel booking form that collects guest name, email address, check-in and check-out date, number of guests, room type (single, double, suite) and an optional comment",
        fields: "guest_name:string; email_address:email; check_in_date:date; check_out_date:date; number_of_guests:integer; room_type:string(single|double|suite); comment:string?",
    },
    Case {
        phrase: "Car rental: driver's name, licence number, pickup date, return date, vehicle class - one of economy, compact or luxury, and mileage limit in km",
        fields: "driver_name:string; licence_number:string; pickup_date:date; return_date:date; vehicle_class:string(economy|compact|luxury); mileage_limit:number",
    },
    Case {
        phrase: "Invoice with invoice number, invoice date, due date, vendor, line items with description, quantity and unit price, subtotal, tax and total amount",
        fields: "invoice_number:string; invoice_date:date; due_date:date; vendor:string; line_items[]{description:string; quantity:integer; unit_price:number}; subtotal:number; tax:number; total_amount:number",
    },
    Case {
        phrase: "1. Company name\n2. Website\n3. Number of employees\n4. Annual revenue\n5. Industry",
        fields: "company_name:string; website:url; number_of_employees:integer; annual_revenue:number; industry:string",
    },
    Case {
        phrase: "Ask the pet owner for the pet's name, species (dog, cat, other), breed, age in years, weight in kg, and is the pet vaccinated?",
        fields: "pet_name:string; species:string(dog|cat|other); breed:string; age:integer; weight:number; pet_vaccinated:boolean",
    },
    Case {
        phrase: "Name: string\nAge: integer\nSubscribed: boolean\nHomepage: url\nBirthday: date\nScore: number",
        fields: "name:string; age:integer; subscribed:boolean; homepage:url; birthday:date; score:number",
    },
    Case {
        phrase: "Insurance claim form. Fields: policy number (required), date of the accident (required), location, estimated damage amount, police report filed (yes/no), photos as a list of links.",
        fields: "policy_number:string!; date_of_accident:date!; location:string; estimated_damage_amount:number; police_report_filed:boolean; photos[]url",
    },
    Case {
        phrase: "Create a support ticket form: subject, priority (low, medium, high, urgent), affected system, steps to reproduce, reporter's email; subject and priority are required.",
        fields: "subject:string!; priority:string(low|medium|high|urgent)!; affected_system:string; steps_to_reproduce:string; reporter_email:email",
    },
    Case {
        phrase: "customer satisfaction survey with a rating from 1 to 5, what they liked, what could be improved, and whether they would recommend us",
        fields: "rating:integer; what_they_liked:string; what_could_be_improved:string; would_recommend:boolean",
    },
    Case {
        phrase: "Expense report: employee name; department; expenses, each with date, category, amount and receipt link; total; approved by",
        fields: "employee_name:string; department:string; expenses[]{date:date; category:string; amount:number; receipt_link:url}; total:number; approved_by:string",
    },
    Case {
        phrase: "School trip consent with child's first and last name, class, parent phone, emergency contact (name, phone, relationship), known allergies if any, and I agree to the terms and conditions",
        fields: "child_first_name:string; child_last_name:string; class:string; parent_phone:string; emergency_contact{name:string; phone:string; relationship:string}; known_allergies:string?; agree_to_terms_and_conditions:boolean",
    },
    Case {
        phrase: "Real estate listing: title, asking price in EUR, living area (m²), number of rooms, year built, energy class from A to G, has balcony (boolean), available from (date)",
        fields: "title:string; asking_price:number; living_area:number; number_of_rooms:integer; year_built:integer; energy_class:string(A|B|C|D|E|F|G); has_balcony:boolean; available_from:date",
    },
    Case {
        phrase: "Restaurant reservation - name, party size, date and time, phone, seating preference: indoor, outdoor or bar",
        fields: "name:string; party_size:integer; date_and_time:string; phone:string; seating_preference:string(indoor|outdoor|bar)",
    },
    Case {
        phrase: "For a bakery: order with customer, cake flavour either chocolate, vanilla or lemon, number of tiers (at most 5), inscription (max 40 characters), pickup date and deposit paid",
        fields: "customer:string; cake_flavour:string(chocolate|vanilla|lemon); number_of_tiers:integer; inscription:string; pickup_date:date; deposit_paid:boolean",
    },
    Case {
        phrase: "Ein Formular für einen Bewerber mit Vorname, Nachname, E-Mail, Geburtsdatum, Gehaltsvorstellung und Führerschein (ja/nein)",
        fields: "vorname:string; nachname:string; e_mail:email; geburtsdatum:date; gehaltsvorstellung:number; fuehrerschein:boolean",
    },
    Case {
        phrase: "Un formulaire de contact avec nom, prénom, adresse e-mail, numéro de téléphone, date de naissance et message (obligatoire)",
        fields: "nom:string; prenom:string; adresse_e_mail:email; numero_de_telephone:string; date_de_naissance:date; message:string!",
    },
    Case {
        phrase: "Formulario de pedido con nombre del cliente, correo electrónico, fecha de entrega, cantidad, precio y forma de pago (efectivo, tarjeta o transferencia)",
        fields: "nombre_del_cliente:string; correo_electronico:email; fecha_de_entrega:date; cantidad:integer; precio:number; forma_de_pago:string(efectivo|tarjeta|transferencia)",
    },
    Case { phrase: "Name, email, phone", fields: "name:string; email:email; phone:string" },
    Case {
        phrase: "Lab sample sheet: sample id, collected on, collected by, storage temperature in °C, volume (ml), hazardous? , tests requested (one or more of blood, urine, swab)",
        fields: "sample_id:string; collected_on:date; collected_by:string; storage_temperature:number; volume:number; hazardous:boolean; tests_requested[]string(blood|urine|swab)",
    },
    Case {
        phrase: "We want to record tool loans: who borrowed it, which tool, when it was taken, when it is due back and its condition (good, worn, broken).",
        fields: "borrowed_by/who_borrowed/who_borrowed_it:string; tool/which_tool:string; taken/when_taken/when_it_was_taken:date; due_back/when_due_back/when_it_is_due_back:date; condition:string(good|worn|broken)",
    },
    Case {
        phrase: "Gym membership with \"Full name\", \"Membership tier\" (bronze/silver/gold), \"Start date\", monthly fee between 20 and 100, and consent to marketing emails (checkbox)",
        fields: "full_name:string; membership_tier:string(bronze|silver|gold); start_date:date; monthly_fee:number; consent_to_marketing_emails:boolean",
    },
    Case {
        phrase: "Construction site inspection. Collect the site name, inspector, inspection date, weather, list of defects with location, severity (minor, major, critical) and photo url, and overall result: pass or fail. All fields are required except weather.",
        fields: "site_name:string!; inspector:string!; inspection_date:date!; weather:string; defects[]{location:string; severity:string(minor|major|critical); photo_url:url}!; overall_result:string(pass|fail)!",
    },
    Case {
        phrase: "a purchase order containing PO number, supplier, delivery address (street, zip, city, country), currency, items (sku, quantity, price) and payment terms",
        fields: "po_number:string; supplier:string; delivery_address{street:string; zip:string; city:string; country:string}; currency:string; items[]{sku:string; quantity:integer; price:number}; payment_terms:string",
    },
    Case {
        phrase: "* Applicant name*\n* Loan amount (number, required)\n* Purpose: home, car, education or other\n* Term in months (integer)\n* Employed? (yes/no)\n* Comments (optional)",
        fields: "applicant_name:string!; loan_amount:number!; purpose:string(home|car|education|other); term/term_in_months:integer; employed:boolean; comments:string?",
    },
    Case {
        phrase: "event registration form asking for the attendee's name, company, job title, dietary requirements, t-shirt size (S, M, L, XL) and which workshops they want to attend",
        fields: "attendee_name:string; company:string; job_title:string; dietary_requirements:string; t_shirt_size:string(S|M|L|XL); workshops/which_workshops:string",
    },
    Case {
        phrase: "Shipping label data: sender name and address, recipient name and address, parcel weight, dimensions with length, width and height, fragile (true/false), tracking number",
        fields: "sender_name:string; sender_address:string; recipient_name:string; recipient_address:string; parcel_weight:number; dimensions{length:number; width:number; height:number}; fragile:boolean; tracking_number:string",
    },
    Case {
        phrase: "Leave request. The employee gives their name, the type of leave (vacation, sick, unpaid), start date, end date and reason. Reason is optional.",
        fields: "name:string; type_of_leave:string(vacation|sick|unpaid); start_date:date; end_date:date; reason:string?",
    },
    Case {
        phrase: "Wildlife sighting: species, number seen, GPS coordinates, observed at (date), behaviour, observer email must be given",
        fields: "species:string; number_seen:integer; gps_coordinates:string; observed_at:date; behaviour:string; observer_email:email!",
    },
    Case {
        phrase: "Blood donation questionnaire: donor name; age (at least 18); weight (at least 50 kg); blood type: A, B, AB or 0; have you travelled abroad in the last 6 months?; do you take medication?",
        fields: "donor_name:string; age:integer; weight:number; blood_type:string(A|B|AB|0); travelled_abroad_in_last_6_months/have_travelled_abroad/travelled_abroad:boolean; take_medication:boolean",
    },
    Case {
        phrase: "fields:\n  title - text\n  published - date\n  pages - whole number\n  authors - array of strings\n  isbn - text\n  in stock - bool\n  price - decimal",
        fields: "title:string; published:date; pages:integer; authors[]string; isbn:string; in_stock:boolean; price:number",
    },
    Case {
        phrase: "Moving company quote: from address, to address, moving date, number of boxes, floor, elevator available (y/n), insurance wanted (y/n), special items such as a piano",
        fields: "from_address:string; to_address:string; moving_date:date; number_of_boxes:integer; floor:integer; elevator_available:boolean; insurance_wanted:boolean; special_items:string",
    },
    Case {
        phrase: "Reklamationsformular:\n- Kundennummer (Pflichtfeld)\n- Artikel\n- Kaufdatum\n- Grund: defekt, falsch geliefert oder beschädigt\n- Betrag in Euro\n- Anzahl",
        fields: "kundennummer:string!; artikel:string; kaufdatum:date; grund:string(defekt|falsch geliefert|beschädigt); betrag:number; anzahl:integer",
    },
    Case {
        phrase: "legal client intake: client's full name, opposing party, matter type, date of incident, deadline, amount in dispute, existing documents (list of urls), preferred language (English, Spanish or French) and referral source",
        fields: "client_full_name:string; opposing_party:string; matter_type:string; date_of_incident:date; deadline:date; amount_in_dispute:number; existing_documents[]url; preferred_language:string(English|Spanish|French); referral_source:string",
    },
    Case {
        phrase: "Team members:\n  - name\n  - role\n  - hours per week\nProject name\nBudget\nKick-off date",
        fields: "team_members[]{name:string; role:string; hours_per_week:number}; project_name:string; budget:number; kick_off_date:date",
    },
    Case {
        phrase: "Fiche d'intervention : client, adresse, date d'intervention, durée en heures, type de panne (électrique, mécanique ou autre), pièces remplacées et signature du client",
        fields: "client:string; adresse:string; date_d_intervention:date; duree:number; type_de_panne:string(électrique|mécanique|autre); pieces_remplacees:string; signature_du_client:string",
    },
    Case {
        phrase: "Farm harvest log with field name, crop, harvest date, yield in tonnes, moisture percentage (0-100), machine operator, and notes",
        fields: "field_name:string; crop:string; harvest_date:date; yield:number; moisture_percentage:number; machine_operator:string; notes:string",
    },
    Case {
        phrase: "Volunteer sign-up: name (mandatory), email (mandatory), phone (optional), availability as one or more weekdays, skills, emergency contact with name and phone.",
        fields: "name:string!; email:email!; phone:string?; availability[]string; skills[]string; emergency_contact{name:string; phone:string}",
    },
];
