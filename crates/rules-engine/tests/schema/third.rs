//! More phrases that rules were mended on after they had been measured once.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Chimney sweep visit record with customer number, street, house number, type of heating (gas, oil, wood, pellets), soot level 1 to 5, CO reading in ppm, defects found (yes/no) and next sweep date",
        fields: "customer_number:string; street:string; house_number:string; type_of_heating:string(gas|oil|wood|pellets); soot_level:integer; co_reading:number; defects_found:boolean; next_sweep_date:date",
    },
    Case {
        phrase: "make me a form to register bicycles: owner name, owner phone, frame number (required), brand, model, colour, purchase price, purchase date, and whether it has a lock",
        fields: "owner_name:string; owner_phone:string; frame_number:string!; brand:string; model:string; colour:string; purchase_price:number; purchase_date:date; has_lock:boolean",
    },
    Case {
        phrase: "Speech therapy progress note: child's name, session date, session length in minutes, goals (list), progress (none, slight, good, excellent), homework given?, therapist",
        fields: "child_name:string; session_date:date; session_length:number; goals[]string; progress:string(none|slight|good|excellent); homework_given:boolean; therapist:string",
    },
    Case {
        phrase: "We run a food bank. For each household record the family name, number of adults, number of children, postcode, dietary needs, and whether they have a referral. Postcode is required.",
        fields: "family_name:string; number_of_adults:integer; number_of_children:integer; postcode:string!; dietary_needs:string; have_referral/has_referral:boolean",
    },
    Case {
        phrase: "Freight quote\n\nPickup city\nDelivery city\nPallets: integer\nTotal weight: number in kg\nStackable: yes/no\nIncoterm: EXW, FCA, DAP or DDP\nReady date",
        fields: "pickup_city:string; delivery_city:string; pallets:integer; total_weight:number; stackable:boolean; incoterm:string(EXW|FCA|DAP|DDP); ready_date:date",
    },
    Case {
        phrase: "a schema for book club votes: member name, first choice, second choice, third choice, availability next month (yes, no, maybe)",
        fields: "member_name:string; first_choice:string; second_choice:string; third_choice:string; availability_next_month:string(yes|no|maybe)",
    },
    Case {
        phrase: "Crane lift plan: lift date, crane operator, load description, load weight (tonnes), lift radius (m), wind speed limit in km/h, ground conditions, and approvals (list of name, role and date)",
        fields: "lift_date:date; crane_operator:string; load_description:string; load_weight:number; lift_radius:number; wind_speed_limit:number; ground_conditions:string; approvals[]{name:string; role:string; date:date}",
    },
    Case {
        phrase: "Nail salon appointment: client name, mobile, service - manicure, pedicure or both -, preferred date, preferred technician (optional), first visit? (y/n)",
        fields: "client_name:string; mobile:string; service:string(manicure|pedicure|both); preferred_date:date; preferred_technician:string?; first_visit:boolean",
    },
    Case {
        phrase: "I want to capture from each CV: the full name, email, phone, city, highest degree, university, graduation year, list of previous employers, programming languages and years of professional experience",
        fields: "full_name:string; email:email; phone:string; city:string; highest_degree:string; university:string; graduation_year:integer; previous_employers[]string; programming_languages[]string; years_of_professional_experience:number",
    },
    Case {
        phrase: "Utility bill: provider, account number, billing period start, billing period end, meter reading, consumption in kWh, amount due, due date",
        fields: "provider:string; account_number:string; billing_period_start:date; billing_period_end:date; meter_reading:number; consumption:number; amount_due:number; due_date:date",
    },
    Case {
        phrase: "Stage booking for a festival with band name, genre, number of band members, stage (main, tent, acoustic), set length in minutes, fee between 100 and 20000 EUR, technical rider link, and contact with name, email and phone",
        fields: "band_name:string; genre:string; number_of_band_members:integer; stage:string(main|tent|acoustic); set_length:number; fee:number; technical_rider_link:url; contact{name:string; email:email; phone:string}",
    },
    Case {
        phrase: "police lost property report - item, brand, serial number, where it was lost, when it was lost, estimated value, finder's reward offered (yes/no), owner's email",
        fields: "item:string; brand:string; serial_number:string; where_lost/where_it_was_lost:string; when_lost/when_it_was_lost:date; estimated_value:number; finder_reward_offered:boolean; owner_email:email",
    },
    Case {
        phrase: "Kita-Anmeldung: Vor- und Nachname des Kindes, Geburtsdatum, gewünschter Betreuungsbeginn, Betreuungsumfang (halbtags oder ganztags), Name der Erziehungsberechtigten, E-Mail-Adresse, Telefonnummer, Allergien",
        fields: "vorname_des_kindes/vorname/vor_und_nachname_des_kindes:string; nachname_des_kindes/nachname:string; geburtsdatum:date; gewuenschter_betreuungsbeginn:date; betreuungsumfang:string(halbtags|ganztags); name_der_erziehungsberechtigten/name_erziehungsberechtigten:string; e_mail_adresse:email; telefonnummer:string; allergien:string",
    },
    Case {
        phrase: "Erstelle ein Formular für Werkstattaufträge mit Kennzeichen (Pflichtfeld), Kilometerstand, Marke, Modell, gewünschtem Termin, Beschreibung des Problems und Kostenvoranschlag gewünscht (ja/nein)",
        fields: "kennzeichen:string!; kilometerstand:number; marke:string; modell:string; gewuenschtem_termin/gewuenschter_termin/termin:date; beschreibung_des_problems/beschreibung_problems:string; kostenvoranschlag_gewuenscht:boolean",
    },
    Case {
        phrase: "Lieferschein\n- Lieferscheinnummer\n- Lieferdatum\n- Empfänger mit Name, Straße und Ort\n- Positionen: Artikelnummer, Bezeichnung, Menge\n- Bemerkungen (optional)",
        fields: "lieferscheinnummer:string; lieferdatum:date; empfaenger{name:string; strasse:string; ort:string}; positionen[]{artikelnummer:string; bezeichnung:string; menge:integer}; bemerkungen:string?",
    },
    Case {
        phrase: "Crée un formulaire pour une demande de devis de toiture avec le nom du client, l'adresse du chantier, la surface en m², le type de toit (tuile, ardoise, zinc), la date souhaitée et le budget",
        fields: "nom_du_client/nom_client:string; adresse_du_chantier/adresse_chantier:string; surface:number; type_de_toit:string(tuile|ardoise|zinc); date_souhaitee:date; budget:number",
    },
    Case {
        phrase: "Constat de sinistre : numéro de contrat (obligatoire), date du sinistre, lieu, description des dommages, montant estimé en euros, témoins (liste), police prévenue (oui/non)",
        fields: "numero_de_contrat:string!; date_du_sinistre/date_sinistre:date; lieu:string; description_des_dommages/description_dommages:string; montant_estime:number; temoins[]string; police_prevenue:boolean",
    },
    Case {
        phrase: "Quiero un formulario de inscripción a un gimnasio con nombre completo, DNI, fecha de nacimiento, tipo de abono (mensual, trimestral o anual), peso en kg, altura en cm, lesiones previas (opcional) y cuenta bancaria",
        fields: "nombre_completo:string; dni:string; fecha_de_nacimiento:date; tipo_de_abono:string(mensual|trimestral|anual); peso:number; altura:number; lesiones_previas:string?; cuenta_bancaria:string",
    },
    Case {
        phrase: "Parte de trabajo: operario, fecha, hora de inicio, hora de fin, obra, materiales (nombre, cantidad, precio), kilómetros recorridos y observaciones",
        fields: "operario:string; fecha:date; hora_de_inicio:string; hora_de_fin:string; obra:string; materiales[]{nombre:string; cantidad:integer; precio:number}; kilometros_recorridos:number; observaciones:string",
    },
    Case {
        phrase: "aircraft pre-flight: registration, pilot in command, departure airport, arrival airport, fuel on board (litres), takeoff weight in kg, passengers (integer), weather checked (checkbox), flight plan filed (checkbox)",
        fields: "registration:string; pilot_in_command:string; departure_airport:string; arrival_airport:string; fuel_on_board:number; takeoff_weight:number; passengers:integer; weather_checked:boolean; flight_plan_filed:boolean",
    },
    Case {
        phrase: "The form should ask for company name, VAT ID, billing address with street, city, postal code and country, billing email, number of licences and payment method: invoice, credit card or direct debit.",
        fields: "company_name:string; vat_id:string; billing_address{street:string; city:string; postal_code:string; country:string}; billing_email:email; number_of_licences:integer; payment_method:string(invoice|credit card|direct debit)",
    },
    Case {
        phrase: "Study participant screening: initials; year of birth; sex: female, male or intersex; smoker (yes/no); cigarettes per day; alcohol units per week; current medications; height (cm); weight (kg); consent given (boolean, required)",
        fields: "initials:string; year_of_birth:integer; sex:string(female|male|intersex); smoker:boolean; cigarettes_per_day:number; alcohol_units_per_week:number; current_medications[]string; height:number; weight:number; consent_given:boolean!",
    },
    Case {
        phrase: "Kitchen order ticket with table number, server, guests, dishes with name, quantity and special instructions, and time ordered",
        fields: "table_number:string; server:string; guests:integer; dishes[]{name:string; quantity:integer; special_instructions:string}; time_ordered:string",
    },
    Case {
        phrase: "Please create a feedback form for a training course. Participants rate the trainer from 1 to 5, the materials from 1 to 5 and the venue from 1 to 5, say what they would change, and tell us if they would come again.",
        fields: "trainer/trainer_rating:integer; materials/materials_rating:integer; venue/venue_rating:integer; what_would_change/what_they_would_change:string; would_come_again/come_again:boolean",
    },
    Case {
        phrase: "Goods return (RMA): order number*, email*, product, reason [wrong item, damaged, changed mind], condition [new, opened, used], refund or exchange, photos (urls)",
        fields: "order_number:string!; email:email!; product:string; reason:string(wrong item|damaged|changed mind); condition:string(new|opened|used); refund_or_exchange:string(refund|exchange); photos[]url",
    },
    Case {
        phrase: "title (string, required), slug (string), published_at (date), author_email (email), tags (array of strings), word_count (integer), is_featured (boolean)",
        fields: "title:string!; slug:string; published_at:date; author_email:email; tags[]string; word_count:integer; is_featured:boolean",
    },
    Case {
        phrase: "Solar panel site survey: homeowner; roof type (flat, pitched); roof area in m2; roof angle in degrees; shading (none, partial, heavy); annual electricity consumption in kWh; meter location; survey photos (list of links); surveyor; survey date",
        fields: "homeowner:string; roof_type:string(flat|pitched); roof_area:number; roof_angle:number; shading:string(none|partial|heavy); annual_electricity_consumption:number; meter_location:string; survey_photos[]url; surveyor:string; survey_date:date",
    },
    Case {
        phrase: "Babysitter info sheet: children, each with name, age, bedtime and allergies; parents' mobile numbers; emergency contact; house rules; pay per hour",
        fields: "children[]{name:string; age:integer; bedtime:string; allergies:string}; parents_mobile_numbers/parent_mobile_numbers:string; emergency_contact:string; house_rules:string; pay_per_hour:number",
    },
    Case {
        phrase: "Conference talk proposal: speaker name, speaker bio (max 300 characters), talk title (required), abstract (required), track - one of web, data, security -, duration 20 or 40 minutes, slides url, first time speaker yes/no",
        fields: "speaker_name:string; speaker_bio:string; talk_title:string!; abstract:string!; track:string(web|data|security); duration:number; slides_url:url; first_time_speaker:boolean",
    },
    Case {
        phrase: "loan agreement details: lender, borrower, principal amount, interest rate in percent, start date, term in months, repayment frequency (weekly, monthly, quarterly), collateral, guarantor if any",
        fields: "lender:string; borrower:string; principal_amount:number; interest_rate:number; start_date:date; term:number; repayment_frequency:string(weekly|monthly|quarterly); collateral:string; guarantor:string?",
    },
    Case {
        phrase: "Newsletter signup: first name (optional), email (required), interests (multiple choice: news, offers, events), and agreement to the privacy policy (must be accepted)",
        fields: "first_name:string?; email:email!; interests[]string(news|offers|events); agreement_to_privacy_policy:boolean!",
    },
    Case {
        phrase: "Trucking incident log. Driver, truck number, trailer number, date and time, location, what happened, any injuries?, police called?, estimated damage in USD. Driver, date and time and location are mandatory.",
        fields: "driver:string!; truck_number:string; trailer_number:string; date_and_time:string!; location:string!; what_happened:string; injuries/any_injuries:boolean; police_called:boolean; estimated_damage:number",
    },
    Case {
        phrase: "Help desk form with the following fields: requester email, device type (laptop, desktop, phone, tablet), operating system, problem description, since when the problem occurs, urgency from 1 (low) to 4 (critical), screenshots (list of links)",
        fields: "requester_email:email; device_type:string(laptop|desktop|phone|tablet); operating_system:string; problem_description:string; since_when/since_when_problem_occurs:date; urgency:integer; screenshots[]url",
    },
    Case {
        phrase: "Vineyard: plot name, grape variety, harvest start, harvest end, kilos picked, sugar content in °Brix, acidity (g/l), picker count",
        fields: "plot_name:string; grape_variety:string; harvest_start:date; harvest_end:date; kilos_picked:number; sugar_content:number; acidity:number; picker_count:integer",
    },
    Case {
        phrase: "Adoption application for a cat shelter. Applicant: name, age (at least 21), email, phone. Home: type (house, apartment), garden yes/no, landlord permission yes/no. Other pets. Reason for adopting.",
        fields: "applicant{name:string; age:integer; email:email; phone:string}; home{type:string(house|apartment); garden:boolean; landlord_permission:boolean}; other_pets:string; reason_for_adopting:string",
    },
    Case {
        phrase: "scholarship application containing student id, gpa between 0 and 4.0, household income, major, essay (at least 500 words), two references with name and email, transcript url",
        fields: "student_id:string; gpa:number; household_income:number; major:string; essay:string; references[]{name:string; email:email}; transcript_url:url",
    },
    Case {
        phrase: "Hairdresser colour card: client, hair type either fine, normal or thick, natural shade, target shade, products used (one or more), developer strength in %, processing time in minutes, patch test done on, result photo link",
        fields: "client:string; hair_type:string(fine|normal|thick); natural_shade:string; target_shade:string; products_used[]string; developer_strength:number; processing_time:number; patch_test_done_on:date; result_photo_link:url",
    },
    Case {
        phrase: "board meeting attendance: director, present in person or remotely, arrival time, conflicts of interest declared (yes/no), details of the conflicts",
        fields: "director:string; present:string(in person|remotely); arrival_time:string; conflicts_of_interest_declared:boolean; details_of_conflicts:string",
    },
    Case {
        phrase: "Vaccination card\n* patient name\n* patient date of birth\n* vaccine: Pfizer / Moderna / other\n* dose number (1-4)\n* batch\n* given on\n* given by\n* side effects (free text, optional)",
        fields: "patient_name:string; patient_date_of_birth:date; vaccine:string(Pfizer|Moderna|other); dose_number:integer; batch:string; given_on:date; given_by:string; side_effects:string?",
    },
    Case {
        phrase: "Escape room booking: team name, number of players between 2 and 8, room (Pharaoh's Tomb, Space Station, The Heist), date, time slot, contact email, voucher code if they have one",
        fields: "team_name:string; number_of_players:integer; room:string(Pharaoh's Tomb|Space Station|The Heist); date:date; time_slot:string; contact_email:email; voucher_code:string?",
    },
];
