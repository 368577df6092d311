//! More phrases that rules were mended on after they had been measured once.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Locksmith job card with customer name, job address, arrival time, lock type (cylinder, padlock, smart), keys supplied (number), labour hours, parts cost and paid by cash or card",
        fields: "customer_name:string; job_address:string; arrival_time:string; lock_type:string(cylinder|padlock|smart); keys_supplied:number; labour_hours:number; parts_cost:number; paid_by:string(cash|card)",
    },
    Case {
        phrase: "form for a cooking contest: contestant, age, dish name, cuisine, list of ingredients with name and amount, preparation time in minutes, vegetarian (yes/no), photo url",
        fields: "contestant:string; age:integer; dish_name:string; cuisine:string; ingredients[]{name:string; amount:number}; preparation_time:number; vegetarian:boolean; photo_url:url",
    },
    Case {
        phrase: "Our dental lab needs a case submission form. Please include: dentist, patient initials, tooth number, shade (A1, A2, A3, B1), material (zirconia, e.max, metal), due date, rush order (checkbox) and special instructions.",
        fields: "dentist:string; patient_initials:string; tooth_number:string; shade:string(A1|A2|A3|B1); material:string(zirconia|e.max|metal); due_date:date; rush_order:boolean; special_instructions:string",
    },
    Case {
        phrase: "Register of visitors:\n* visitor name (mandatory)\n* company\n* host\n* badge number\n* time in\n* time out\n* car registration (optional)",
        fields: "visitor_name:string!; company:string; host:string; badge_number:string; time_in:string; time_out:string; car_registration:string?",
    },
    Case {
        phrase: "I sell handmade candles and want an order form: customer name, email, scent - lavender, vanilla or rose -, quantity, gift wrap yes/no, delivery address (street, city, postcode) and a personal message of at most 150 characters",
        fields: "customer_name:string; email:email; scent:string(lavender|vanilla|rose); quantity:integer; gift_wrap:boolean; delivery_address{street:string; city:string; postcode:string}; personal_message:string",
    },
    Case {
        phrase: "Extract from bank statements: account holder, IBAN, statement period start, statement period end, opening balance, closing balance, and transactions with date, description, amount and balance",
        fields: "account_holder:string; iban:string; statement_period_start:date; statement_period_end:date; opening_balance:number; closing_balance:number; transactions[]{date:date; description:string; amount:number; balance:number}",
    },
    Case {
        phrase: "student council nomination: nominee's full name, grade between 9 and 12, position (president, vice president, treasurer), reason for running, nominated by, teacher approval (yes/no)",
        fields: "nominee_full_name:string; grade:integer; position:string(president|vice president|treasurer); reason_for_running:string; nominated_by:string; teacher_approval:boolean",
    },
    Case {
        phrase: "A simple RSVP: your name, will you attend?, number of guests, dietary restrictions, song request",
        fields: "name:string; attend:boolean; number_of_guests:integer; dietary_restrictions:string; song_request:string",
    },
    Case {
        phrase: "Boiler service record: engineer, engineer licence no, boiler make, boiler model, serial number, gas pressure (mbar), flue gas temperature in °C, CO2 in %, parts replaced (list), safe to use (yes/no), next service due",
        fields: "engineer:string; engineer_licence_no:string; boiler_make:string; boiler_model:string; serial_number:string; gas_pressure:number; flue_gas_temperature:number; co2:number; parts_replaced[]string; safe_to_use:boolean; next_service_due:date",
    },
    Case {
        phrase: "We interview witnesses. Ask for the witness's name, date of interview, interviewer, what they saw, how far away they were, whether they know the suspect and their contact email (optional).",
        fields: "witness_name:string; date_of_interview:date; interviewer:string; what_saw/what_they_saw:string; how_far_away/how_far_away_they_were:number; know_suspect:boolean; contact_email:email?",
    },
    Case {
        phrase: "asset register; asset tag; description; category (IT, furniture, vehicle, other); purchase date; purchase cost; depreciation rate in percent; assigned to; location; disposed (true/false)",
        fields: "asset_tag:string; description:string; category:string(IT|furniture|vehicle|other); purchase_date:date; purchase_cost:number; depreciation_rate:number; assigned_to:string; location:string; disposed:boolean",
    },
    Case {
        phrase: "Swim meet entry: swimmer's first name and last name, club, birth date, gender (f/m/x), events each with stroke, distance and entry time",
        fields: "swimmer_first_name:string; swimmer_last_name/last_name:string; club:string; birth_date:date; gender:string(f|m|x); events[]{stroke:string; distance:number; entry_time:string}",
    },
    Case {
        phrase: "Mitgliedsantrag für einen Sportverein: Vorname, Nachname, Straße und Hausnummer, PLZ, Ort, Geburtsdatum, Abteilung (Fußball, Tennis oder Turnen), Monatsbeitrag in Euro, IBAN (Pflichtfeld) und Einwilligung zum Datenschutz",
        fields: "vorname:string; nachname:string; strasse:string; hausnummer:string; plz:string; ort:string; geburtsdatum:date; abteilung:string(Fußball|Tennis|Turnen); monatsbeitrag:number; iban:string!; einwilligung_zum_datenschutz/einwilligung_datenschutz:boolean",
    },
    Case {
        phrase: "Prüfprotokoll mit Gerät, Seriennummer, Prüfer, Prüfdatum, Spannung in V, Ergebnis (bestanden, nicht bestanden), Mängel (Liste) und nächster Prüftermin",
        fields: "geraet:string; seriennummer:string; pruefer:string; pruefdatum:date; spannung:number; ergebnis:string(bestanden|nicht bestanden); maengel[]string; naechster_prueftermin:date",
    },
    Case {
        phrase: "Formulaire de location de vélos : nom complet, pièce d'identité, type de vélo (ville, VTT ou électrique), date de début, date de fin, caution en euros, casque (oui/non)",
        fields: "nom_complet:string; piece_d_identite:string; type_de_velo:string(ville|VTT|électrique); date_de_debut:date; date_de_fin:date; caution:number; casque:boolean",
    },
    Case {
        phrase: "Rapport de chantier avec date, chef de chantier, météo, nombre d'ouvriers, travaux réalisés, matériaux livrés (désignation, quantité), incidents (facultatif) et photos (liste de liens)",
        fields: "date:date; chef_de_chantier:string; meteo:string; nombre_d_ouvriers:integer; travaux_realises:string; materiaux_livres[]{designation:string; quantite:integer}; incidents:string?; photos[]url",
    },
    Case {
        phrase: "Solicitud de préstamo con nombre completo, correo electrónico (obligatorio), ingresos mensuales, importe solicitado, plazo en meses, estado civil (soltero, casado, otro) y si tiene otras deudas",
        fields: "nombre_completo:string; correo_electronico:email!; ingresos_mensuales:number; importe_solicitado:number; plazo:number; estado_civil:string(soltero|casado|otro); tiene_otras_deudas/otras_deudas:boolean",
    },
    Case {
        phrase: "Encuesta de satisfacción: edad, ciudad, valoración del 1 al 5, ¿recomendaría el servicio? (sí/no), comentarios (opcional)",
        fields: "edad:integer; ciudad:string; valoracion:integer; recomendaria_el_servicio/recomendaria_servicio:boolean; comentarios:string?",
    },
    Case {
        phrase: "Create a JSON form for a fleet manager to record refuelling: vehicle id, driver, date, odometer, litres, price per litre, total cost, station and fuel type (diesel, petrol, electric). Vehicle id, date and litres are required.",
        fields: "vehicle_id:string!; driver:string; date:date!; odometer:number; litres:number!; price_per_litre:number; total_cost:number; station:string; fuel_type:string(diesel|petrol|electric)",
    },
    Case {
        phrase: "clinical trial adverse event with subject number, event term, onset date, resolution date, severity (mild, moderate, severe), serious?, related to study drug?, action taken, outcome",
        fields: "subject_number:string; event_term:string; onset_date:date; resolution_date:date; severity:string(mild|moderate|severe); serious:boolean; related_to_study_drug:boolean; action_taken:string; outcome:string",
    },
    Case {
        phrase: "Hotel lost and found log - item description, found where, found on, found by, guest name if known, storage shelf, collected (y/n)",
        fields: "item_description:string; found_where:string; found_on:date; found_by:string; guest_name:string?; storage_shelf:string; collected:boolean",
    },
    Case {
        phrase: "Freelance invoice data: client, client tax id, project, hours billed, hourly rate, expenses, discount %, tax %, grand total, payment link, paid on",
        fields: "client:string; client_tax_id:string; project:string; hours_billed:number; hourly_rate:number; expenses:number; discount:number; tax:number; grand_total:number; payment_link:url; paid_on:date",
    },
    Case {
        phrase: "Please design a form for new suppliers. Fields needed: legal name, trading name (optional), registration number, registered address, contact person with name, phone and email, bank details (IBAN and BIC), certifications (list), and annual turnover.",
        fields: "legal_name:string; trading_name:string?; registration_number:string; registered_address:string; contact_person{name:string; phone:string; email:email}; bank_details{iban:string; bic:string}; certifications[]string; annual_turnover:number",
    },
    Case {
        phrase: "aquarium log: date, pH, nitrate level in mg/l, water change (%), fish added (list of species and count), fish lost (whole number), algae: none, some or heavy",
        fields: "date:date; ph:number; nitrate_level:number; water_change:number; fish_added[]{species:string; count:integer}; fish_lost:integer; algae:string(none|some|heavy)",
    },
    Case {
        phrase: "Theatre audition sheet, stage name, legal name, height in cm, voice type (soprano, alto, tenor, bass), dance experience in years, availability for rehearsals, agent's name and phone, headshot link",
        fields: "stage_name:string; legal_name:string; height:number; voice_type:string(soprano|alto|tenor|bass); dance_experience:number; availability_for_rehearsals:string; agent_name:string; agent_phone:string; headshot_link:url",
    },
    Case {
        phrase: "Parking permit: plate number, vehicle make and model, resident name, flat number, permit zone A to D, valid from date, valid until date, number of vehicles in household (1-3)",
        fields: "plate_number:string; vehicle_make:string; vehicle_model/model:string; resident_name:string; flat_number:string; permit_zone:string(A|B|C|D); valid_from_date/valid_from:date; valid_until_date/valid_until:date; number_of_vehicles_in_household:integer",
    },
    Case {
        phrase: "daily diary: mood (happy, ok, sad), hours of sleep, glasses of water (integer), exercise done (yes/no), highlights, and weight in kg if measured",
        fields: "mood:string(happy|ok|sad); hours_of_sleep:number; glasses_of_water:integer; exercise_done:boolean; highlights:string; weight:number",
    },
    Case {
        phrase: "A form where tenants report repairs: tenant name, unit, phone or email, room affected, problem description, is it an emergency?, preferred visit date, up to five photos",
        fields: "tenant_name:string; unit:string; phone_or_email:string; room_affected:string; problem_description:string; emergency:boolean; preferred_visit_date:date; photos[]string",
    },
    Case {
        phrase: "Title: text. Director: text. Release year: integer. Genres: list of text. Runtime: minutes. Rating: number between 0 and 10. Watched: yes/no.",
        fields: "title:string; director:string; release_year:integer; genres[]string; runtime:number; rating:number; watched:boolean",
    },
    Case {
        phrase: "Collect lead data (first name, last name, work email, company, job title, company size: 1-10, 11-100 or 100+) and a message; everything is required except the message",
        fields: "first_name:string!; last_name:string!; work_email:email!; company:string!; job_title:string!; company_size:string(1-10|11-100|100+)!; message:string",
    },
];
