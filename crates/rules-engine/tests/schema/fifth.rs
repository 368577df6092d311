//! More phrases that rules were mended on after they had been measured once.

use crate::score::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Piano tuning visit: client, piano brand, serial number, last tuned on, pitch before tuning in Hz, humidity in %, strings replaced (integer), price, paid (yes/no)",
        fields: "client:string; piano_brand:string; serial_number:string; last_tuned_on:date; pitch_before_tuning:number; humidity:number; strings_replaced:integer; price:number; paid:boolean",
    },
    Case {
        phrase: "I'm organising a charity run. Runners should give their first name, last name, email, date of birth, T-shirt size (XS, S, M, L, XL), distance (5 km, 10 km, half marathon), emergency phone number, and confirm that they are fit to run.",
        fields: "first_name:string; last_name:string; email:email; date_of_birth:date; t_shirt_size:string(XS|S|M|L|XL); distance:string(5 km|10 km|half marathon); emergency_phone_number:string; fit_to_run/confirm_fit_to_run/are_fit_to_run:boolean",
    },
    Case {
        phrase: "Pest control report for restaurants with premises name, inspector, date of visit, pests found (rats, cockroaches, flies, none), treatment applied, follow-up needed (yes/no) and next visit date",
        fields: "premises_name:string; inspector:string; date_of_visit:date; pests_found:string(rats|cockroaches|flies|none); treatment_applied:string; follow_up_needed:boolean; next_visit_date:date",
    },
    Case {
        phrase: "Build a form to capture job postings: job title (required), department, employment type (full-time, part-time, contract), salary range, remote allowed (boolean), application deadline, hiring manager's email",
        fields: "job_title:string!; department:string; employment_type:string(full-time|part-time|contract); salary_range:string; remote_allowed:boolean; application_deadline:date; hiring_manager_email:email",
    },
    Case {
        phrase: "Observation sheet for birdwatchers\n\n- observer\n- date and time\n- site\n- species seen (list with species, count and sex)\n- weather: sunny, cloudy, rain or snow\n- wind strength 0-12\n- notes",
        fields: "observer:string; date_and_time:string; site:string; species_seen[]{species:string; count:integer; sex:string}; weather:string(sunny|cloudy|rain|snow); wind_strength:integer; notes:string",
    },
    Case {
        phrase: "household inventory for insurance: room, item, quantity, purchase price, purchase year, current value, receipt available?, photo link",
        fields: "room:string; item:string; quantity:integer; purchase_price:number; purchase_year:integer; current_value:number; receipt_available:boolean; photo_link:url",
    },
    Case {
        phrase: "Data to extract from a delivery note: delivery note number, delivery date, carrier, sender, recipient, positions (article number, description, quantity delivered), total weight in kg, signature of the recipient",
        fields: "delivery_note_number:string; delivery_date:date; carrier:string; sender:string; recipient:string; positions[]{article_number:string; description:string; quantity_delivered:integer}; total_weight:number; signature_of_recipient:string",
    },
    Case {
        phrase: "Physio exercise plan with patient name, diagnosis, therapist, exercises each with name, sets, repetitions and rest in seconds, sessions per week and review date",
        fields: "patient_name:string; diagnosis:string; therapist:string; exercises[]{name:string; sets:integer; repetitions:integer; rest:number}; sessions_per_week:number; review_date:date",
    },
    Case {
        phrase: "Wir möchten Reparaturaufträge für Fahrräder erfassen: Kundenname, Telefon, Fahrradmarke, Rahmennummer, Mangel, gewünschter Abholtermin, Kostenrahmen in Euro, Dringlichkeit (normal, eilig) und ob ein Leihrad benötigt wird.",
        fields: "kundenname:string; telefon:string; fahrradmarke:string; rahmennummer:string; mangel:string; gewuenschter_abholtermin:date; kostenrahmen:number; dringlichkeit:string(normal|eilig); leihrad_benoetigt/leihrad_benoetigt_wird:boolean",
    },
    Case {
        phrase: "Fiche produit : nom (obligatoire), référence, catégorie, prix de vente, poids en grammes, quantité en stock, disponible (oui/non), URL de l'image",
        fields: "nom:string!; reference:string; categorie:string; prix_de_vente:number; poids:number; quantite_en_stock:integer; disponible:boolean; url_de_l_image/url_de_image:url",
    },
    Case {
        phrase: "Formulario para registrar incidencias: título, descripción, prioridad (baja, media, alta), fecha de detección, responsable, coste estimado, adjuntos (lista de enlaces) y resuelto (sí/no)",
        fields: "titulo:string; descripcion:string; prioridad:string(baja|media|alta); fecha_de_deteccion:date; responsable:string; coste_estimado:number; adjuntos[]url; resuelto:boolean",
    },
    Case {
        phrase: "tutoring session: tutor, student, subject (maths, physics, chemistry), session date, duration in hours, topics covered, homework set, rating of the student's effort from 1 to 10, parent informed yes/no",
        fields: "tutor:string; student:string; subject:string(maths|physics|chemistry); session_date:date; duration:number; topics_covered:string; homework_set:string; rating_of_student_effort:integer; parent_informed:boolean",
    },
    Case {
        phrase: "I need to collect the following from our franchisees every month: branch name, month, gross sales, number of transactions, staff hours, stock losses, complaints received (whole number), and manager's comment (optional).",
        fields: "branch_name:string; month:string; gross_sales:number; number_of_transactions:integer; staff_hours:number; stock_losses:number; complaints_received:integer; manager_comment:string?",
    },
    Case {
        phrase: "Ship's noon report. Vessel, voyage number, date, latitude, longitude, course, speed in knots, distance run, fuel oil remaining (t), weather, remarks",
        fields: "vessel:string; voyage_number:string; date:date; latitude:number; longitude:number; course:string; speed:number; distance_run:number; fuel_oil_remaining:number; weather:string; remarks:string",
    },
    Case {
        phrase: "make a survey: age, gender (female, male, non-binary, prefer not to say), how many hours a day do you use your phone?, which apps do you use most (list), do you feel addicted?, anything else to add (optional)",
        fields: "age:integer; gender:string(female|male|non-binary|prefer not to say); number_of_hours/number_of_hours_day/hours_a_day:integer; apps/which_apps[]string; feel_addicted:boolean; anything_else/anything_else_to_add:string?",
    },
    Case {
        phrase: "property handover protocol: address of the flat, landlord, tenant, handover date, meter readings (meter type, meter number, reading), keys handed over (number), defects (room, description), signatures",
        fields: "address_of_flat:string; landlord:string; tenant:string; handover_date:date; meter_readings[]{meter_type:string; meter_number:string; reading:number}; keys_handed_over:number; defects[]{room:string; description:string}; signatures:string",
    },
    Case {
        phrase: "customer { name, email, phone }, order date, shipping method [standard, express], items [sku, qty, price], gift (bool)",
        fields: "customer{name:string; email:email; phone:string}; order_date:date; shipping_method:string(standard|express); items[]{sku:string; qty:integer; price:number}; gift:boolean",
    },
    Case {
        phrase: "Speaker feedback (name of speaker, session title, clarity 1-5, relevance 1-5, would you attend again yes/no, suggestions)",
        fields: "name_of_speaker:string; session_title:string; clarity:integer; relevance:integer; attend_again:boolean; suggestions:string",
    },
    Case {
        phrase: "Cheese making log: batch number, milk type (cow, goat, sheep), milk volume in litres, rennet added at, curd pH, salt in grams, ripening start, tasting notes",
        fields: "batch_number:string; milk_type:string(cow|goat|sheep); milk_volume:number; rennet_added_at:string; curd_ph:number; salt:number; ripening_start:date; tasting_notes:string",
    },
    Case {
        phrase: "Accounting firm onboarding. Company name, company number, year end, VAT registered (yes/no), VAT number if registered, directors with name, email and date of birth, and preferred contact method being email, phone or post. Company name and company number are required.",
        fields: "company_name:string!; company_number:string!; year_end:date; vat_registered:boolean; vat_number:string; directors[]{name:string; email:email; date_of_birth:date}; preferred_contact_method:string(email|phone|post)",
    },
];
