//! Phrases that no rule was made on, written before the first run on them and not mended on since.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Carpenter's quote with client name, site address, type of wood (oak, pine, walnut), number of boards, board length in cm, hourly rate, estimated hours, materials cost and valid until",
        fields: "client_name:string; site_address:string; type_of_wood:string(oak|pine|walnut); number_of_boards:integer; board_length:number; hourly_rate:number; estimated_hours:number; materials_cost:number; valid_until:date",
    },
    Case {
        phrase: "Nursing handover: patient initials, bed number, age, main diagnosis, allergies (list), fall risk (low, medium, high), last medication given at, pending tests, and is the family informed?",
        fields: "patient_initials:string; bed_number:string; age:integer; main_diagnosis:string; allergies[]string; fall_risk:string(low|medium|high); last_medication_given_at:string; pending_tests:string; family_informed:boolean",
    },
    Case {
        phrase: "Set up a registration form for our chess tournament. We need full name, club, FIDE rating (whole number), age group (U12, U16, adult), phone number, and payment method: cash or transfer. The club is optional.",
        fields: "full_name:string; club:string?; fide_rating:integer; age_group:string(U12|U16|adult); phone_number:string; payment_method:string(cash|transfer)",
    },
    Case {
        phrase: "Energy audit\n1. Building address\n2. Year of construction\n3. Heated area (m2)\n4. Heating system: gas, heat pump, district heating, other\n5. Annual gas consumption (kWh)\n6. Insulated roof? (yes/no)\n7. Auditor's recommendations",
        fields: "building_address:string; year_of_construction:integer; heated_area:number; heating_system:string(gas|heat pump|district heating|other); annual_gas_consumption:number; insulated_roof:boolean; auditor_recommendations:string",
    },
    Case {
        phrase: "catering enquiry: contact name, email, event date, venue, number of guests (at least 10), menu style - buffet, plated or street food -, dietary needs (list), budget per head, and how did you hear about us?",
        fields: "contact_name:string; email:email; event_date:date; venue:string; number_of_guests:integer; menu_style:string(buffet|plated|street food); dietary_needs[]string; budget_per_head:number; how_did_you_hear/how_did_you_hear_about_us/how_hear_about_us:string",
    },
    Case {
        phrase: "Machine downtime log: machine id, operator, downtime start (date and time), downtime end (date and time), cause (mechanical, electrical, material, other), parts replaced with part number and quantity, production lost in units",
        fields: "machine_id:string; operator:string; downtime_start:string; downtime_end:string; cause:string(mechanical|electrical|material|other); parts_replaced[]{part_number:string; quantity:integer}; production_lost:number",
    },
    Case {
        phrase: "I want a schema for rental listings with title, monthly rent, deposit, rooms, floor, furnished (boolean), pets allowed (boolean), available from, landlord with name and phone, and pictures as a list of urls",
        fields: "title:string; monthly_rent:number; deposit:number; rooms:integer; floor:integer; furnished:boolean; pets_allowed:boolean; available_from:date; landlord{name:string; phone:string}; pictures[]url",
    },
    Case {
        phrase: "Library acquisition request: book title*, author*, ISBN, publisher, publication year, estimated price, reason for request, requested by, staff or student",
        fields: "book_title:string!; author:string!; isbn:string; publisher:string; publication_year:integer; estimated_price:number; reason_for_request:string; requested_by:string; staff_or_student:string(staff|student)",
    },
    Case {
        phrase: "Tierarzt-Aufnahme mit Name des Tieres, Tierart (Hund, Katze, Vogel), Rasse, Geburtsdatum, Gewicht in kg, Chipnummer, kastriert (ja/nein), Halter mit Name, Telefon und E-Mail",
        fields: "name_des_tieres/name_tieres:string; tierart:string(Hund|Katze|Vogel); rasse:string; geburtsdatum:date; gewicht:number; chipnummer:string; kastriert:boolean; halter{name:string; telefon:string; e_mail:email}",
    },
    Case {
        phrase: "Formulaire de réclamation client : numéro de commande (obligatoire), date d'achat, produit concerné, motif (défectueux, manquant, retard), montant payé et souhaitez-vous un remboursement ? (oui/non)",
        fields: "numero_de_commande:string!; date_d_achat:date; produit_concerne:string; motif:string(défectueux|manquant|retard); montant_paye:number; souhaitez_vous_un_remboursement/remboursement/souhaitez_vous_remboursement:boolean",
    },
    Case {
        phrase: "Hoja de inspección de extintores: ubicación, número de serie, tipo (polvo, CO2, agua), fecha de última revisión, presión correcta (sí/no), observaciones, técnico",
        fields: "ubicacion:string; numero_de_serie:string; tipo:string(polvo|CO2|agua); fecha_de_ultima_revision:date; presion_correcta:boolean; observaciones:string; tecnico:string",
    },
    Case {
        phrase: "app bug intake { summary, device, os version, app version, severity: blocker/major/minor, reproducible (bool), steps, screenshot url }",
        fields: "summary:string; device:string; os_version:string; app_version:string; severity:string(blocker|major|minor); reproducible:boolean; steps:string; screenshot_url:url",
    },
    Case {
        phrase: "Customers should be able to book a massage: their name, mobile number, massage type (Swedish, deep tissue, hot stone), duration 30, 60 or 90 minutes, preferred date, preferred time, any medical conditions, and consent to the cancellation policy.",
        fields: "name:string; mobile_number:string; massage_type:string(Swedish|deep tissue|hot stone); duration:string(30|60|90); preferred_date:date; preferred_time:string; medical_conditions:string; consent_to_cancellation_policy:boolean",
    },
    Case {
        phrase: "Track my plants: plant name, species, bought on, price paid, location (indoor or outdoor), watering interval in days, last watered, repotted (yes/no), notes",
        fields: "plant_name:string; species:string; bought_on:date; price_paid:number; location:string(indoor|outdoor); watering_interval:number; last_watered:date; repotted:boolean; notes:string",
    },
    Case {
        phrase: "Import declaration lines: each line has HS code, description, country of origin, quantity, unit, customs value in EUR and duty rate in %",
        fields: "lines/line[]{hs_code:string; description:string; country_of_origin:string; quantity:integer; unit:string; customs_value:number; duty_rate:number}",
    },
    Case {
        phrase: "Exit interview - employee name, department, last working day, reason for leaving (salary, career, relocation, other), overall satisfaction 1-10, what could we have done better, would return (yes/no)",
        fields: "employee_name:string; department:string; last_working_day:date; reason_for_leaving:string(salary|career|relocation|other); overall_satisfaction:integer; what_could_have_done_better/what_could_we_have_done_better:string; would_return:boolean",
    },
];
