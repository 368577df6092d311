//! Common kinds of forms, for phrases that name a form and none of its fields.

use super::language::Language;
use super::words::{length, longest_at, stands_at, words};

/// A kind of form: the words that name it, and its fields as a list.
struct Kind {
    names: &'static [&'static str],
    fields: &'static str,
}

const ENGLISH: &[Kind] = &[
    Kind {
        names: &["purchase order", "po"],
        fields: "order number (required); order date; supplier; delivery address; delivery date; line items (description, quantity, unit price); currency; total amount; payment terms",
    },
    Kind {
        names: &["invoice", "bill", "invoices", "billing"],
        fields: "invoice number (required); invoice date; due date; vendor name; vendor address; customer name; line items (description, quantity, unit price, amount); subtotal; tax amount; total amount (required); currency; payment terms",
    },
    Kind {
        names: &["receipt", "receipts"],
        fields: "merchant; date (required); items (description, price); tax amount; total amount (required); currency; payment method (cash, card, other)",
    },
    Kind {
        names: &["expense", "expenses", "reimbursement", "expense report"],
        fields: "employee name (required); department; expenses (date, category, description, amount); total amount; currency; approved by",
    },
    Kind {
        names: &["timesheet", "time sheet", "hours worked"],
        fields: "employee name (required); week start date; entries (date, project, hours, notes); total hours; approved (yes/no)",
    },
    Kind {
        names: &[
            "job application",
            "applicant",
            "candidate",
            "recruitment",
            "hiring",
            "application for a job",
            "employment",
        ],
        fields: "full name (required); email (required); phone; position applied for; years of experience; current employer; education; skills (list); available from (date); expected salary; cover letter",
    },
    Kind {
        names: &["employee onboarding", "onboarding", "new employee", "new hire"],
        fields: "full name (required); email (required); phone; address; date of birth; job title; department; start date; emergency contact (name, phone, relationship); bank account",
    },
    Kind {
        names: &["leave request", "vacation", "time off", "holiday request", "leave", "absence"],
        fields: "employee name (required); type of leave (vacation, sick, unpaid, other); start date (required); end date (required); reason; approved by",
    },
    Kind {
        names: &[
            "patient",
            "patient intake",
            "medical",
            "medical history",
            "clinic",
            "doctor",
            "health",
            "hospital",
            "dental",
            "dentist",
            "therapy",
        ],
        fields: "full name (required); date of birth (required); gender; phone; email; address; insurance provider; insurance number; reason for visit; medications (list); allergies (list); medical conditions; emergency contact (name, phone, relationship); consent to treatment",
    },
    Kind {
        names: &[
            "feedback",
            "customer feedback",
            "satisfaction",
            "survey",
            "review",
            "customer satisfaction",
            "testimonial",
        ],
        fields: "name (optional); email (optional); rating from 1 to 5 (required); what was good; what could be improved; would recommend (yes/no); comments",
    },
    Kind {
        names: &["contact", "contact us", "inquiry", "enquiry", "lead", "get in touch"],
        fields: "name (required); email (required); phone; company; subject; message (required)",
    },
    Kind {
        names: &[
            "event registration",
            "registration",
            "conference",
            "workshop",
            "sign-up",
            "signup",
            "rsvp",
            "webinar",
            "attendee",
            "event",
        ],
        fields: "full name (required); email (required); phone; organisation; number of attendees; dietary requirements; comments",
    },
    Kind {
        names: &["wedding", "party", "catering"],
        fields: "name (required); email (required); phone; event date; venue; number of guests; menu choice; dietary requirements; budget; special requests",
    },
    Kind {
        names: &["hotel", "room booking", "accommodation", "guest house", "hotel booking"],
        fields: "guest name (required); email (required); phone; check-in date (required); check-out date (required); number of guests; room type (single, double, suite); special requests",
    },
    Kind {
        names: &["restaurant", "table reservation", "reservation", "restaurant reservation"],
        fields: "name (required); phone (required); email; date and time (required); party size; seating preference (indoor, outdoor); special requests",
    },
    Kind {
        names: &["appointment", "booking", "consultation", "appointments"],
        fields: "name (required); email; phone (required); preferred date; preferred time; service; notes",
    },
    Kind {
        names: &["order", "order form", "product order", "sales order"],
        fields: "customer name (required); email (required); phone; delivery address; items (product, quantity, price); total amount; payment method (card, transfer, cash); delivery date; notes",
    },
    Kind {
        names: &["delivery", "shipment", "shipping", "parcel", "waybill", "freight", "delivery note"],
        fields: "tracking number; sender name; sender address; recipient name (required); recipient address (required); number of parcels; weight in kg; shipping date; delivery date; signed by",
    },
    Kind {
        names: &["incident", "accident", "incident report", "hazard", "safety incident", "near miss"],
        fields: "reported by (required); date of incident (required); location (required); description (required); injured persons (name, injury); witnesses (list); action taken; severity (low, medium, high)",
    },
    Kind {
        names: &[
            "maintenance",
            "repair",
            "repair request",
            "breakdown",
            "work order",
            "service call",
            "plumbing",
            "electrician",
        ],
        fields: "requested by (required); phone; location; equipment; description of problem (required); priority (low, medium, high); date reported; technician; completed (yes/no); completion date; cost",
    },
    Kind {
        names: &[
            "support ticket",
            "ticket",
            "bug",
            "bug report",
            "help desk",
            "helpdesk",
            "it support",
            "technical support",
            "complaint",
        ],
        fields: "name (required); email (required); subject (required); description (required); category; priority (low, medium, high, urgent); steps to reproduce; date reported",
    },
    Kind {
        names: &["inspection", "audit", "checklist", "site visit", "site inspection"],
        fields: "inspector (required); inspection date (required); location (required); items (item, result, comment); overall result (pass, fail); follow-up required (yes/no); notes",
    },
    Kind {
        names: &["insurance claim", "claim", "insurance"],
        fields: "policy number (required); claimant name (required); phone; email; date of incident (required); location; description of damage (required); estimated amount; police report number; attachments (list of links)",
    },
    Kind {
        names: &["rental", "tenant", "lease", "tenancy", "rental application", "apartment"],
        fields: "full name (required); email (required); phone (required); current address; employer; monthly income; move-in date; number of occupants; pets (yes/no); references (name, phone)",
    },
    Kind {
        names: &["property", "real estate", "property listing", "house listing"],
        fields: "title (required); address; price (required); property type; number of bedrooms; number of bathrooms; floor area; year built; description; available from (date)",
    },
    Kind {
        names: &["car rental", "vehicle", "vehicle inspection", "car", "test drive", "fleet"],
        fields: "driver name (required); licence number; vehicle make; vehicle model; registration number; mileage; pickup date; return date; damage; fuel level",
    },
    Kind {
        names: &[
            "school",
            "enrolment",
            "enrollment",
            "student",
            "admission",
            "course",
            "class registration",
            "university",
        ],
        fields: "student name (required); date of birth (required); grade; parent name; parent email; parent phone; address; allergies; emergency contact (name, phone, relationship)",
    },
    Kind {
        names: &["membership", "gym", "club", "subscription", "member"],
        fields: "full name (required); email (required); phone; date of birth; address; membership type; start date; consent to terms",
    },
    Kind {
        names: &["donation", "charity", "fundraising", "pledge", "donor"],
        fields: "donor name (required); email (required); amount (required); currency; frequency (one-time, monthly, yearly); payment method; anonymous (yes/no); message",
    },
    Kind {
        names: &["volunteer", "volunteering"],
        fields: "full name (required); email (required); phone; skills (list); availability; area of interest; emergency contact (name, phone)",
    },
    Kind {
        names: &["meeting", "minutes", "meeting minutes", "meeting notes"],
        fields: "title; date (required); attendees (list); agenda; decisions (list); action items (task, owner, due date); next meeting date",
    },
    Kind {
        names: &["veterinary", "vet", "pet", "animal", "pet adoption"],
        fields: "owner name (required); phone (required); email; pet name (required); species; breed; age; weight in kg; vaccinated (yes/no); reason for visit; medications (list)",
    },
    Kind {
        names: &["contract", "agreement"],
        fields: "title; parties (name, role, address); effective date; end date; contract value; currency; payment terms; governing law; signed (yes/no)",
    },
    Kind {
        names: &["resume", "cv", "curriculum vitae"],
        fields: "full name; email; phone; location; summary; experience (employer, job title, start date, end date, description); education (institution, degree, year); skills (list); languages (list)",
    },
    Kind {
        names: &["quote", "quotation", "estimate", "project request", "brief", "proposal"],
        fields: "name (required); company; email (required); phone; project description (required); budget; deadline; location",
    },
    Kind {
        names: &["inventory", "stock", "asset", "equipment", "warehouse"],
        fields: "item name (required); item number; category; quantity (required); unit price; location; supplier; condition; last checked on",
    },
    Kind {
        names: &["product", "catalogue", "product listing"],
        fields: "name (required); sku; description; price (required); currency; category; brand; weight; stock; image url",
    },
    Kind {
        names: &["recipe", "recipes"],
        fields: "title (required); servings; preparation time in minutes; ingredients (name, quantity, unit); steps (list); notes",
    },
    Kind {
        names: &["travel", "trip", "travel request", "visa", "business trip"],
        fields: "traveller name (required); destination (required); departure date (required); return date; purpose; transport; estimated cost; passport number; approved by",
    },
];

const GERMAN: &[Kind] = &[
    Kind {
        names: &["rechnung", "rechnungen"],
        fields: "Rechnungsnummer (Pflichtfeld); Rechnungsdatum; Fälligkeitsdatum; Lieferant; Kunde; Positionen (Bezeichnung, Menge, Preis); Nettobetrag; Steuerbetrag; Gesamtbetrag (Pflichtfeld); Währung",
    },
    Kind {
        names: &["kontakt", "kontaktformular", "anfrage"],
        fields: "Name (Pflichtfeld); E-Mail (Pflichtfeld); Telefon; Betreff; Nachricht (Pflichtfeld)",
    },
    Kind {
        names: &["bewerbung", "bewerber", "bewerbungsformular"],
        fields: "Vorname (Pflichtfeld); Nachname (Pflichtfeld); E-Mail (Pflichtfeld); Telefon; Stelle; Berufserfahrung in Jahren; Ausbildung; Kenntnisse; Eintrittsdatum; Gehaltsvorstellung",
    },
    Kind {
        names: &["anmeldung", "veranstaltung", "anmeldeformular", "registrierung"],
        fields: "Vorname (Pflichtfeld); Nachname (Pflichtfeld); E-Mail (Pflichtfeld); Telefon; Anzahl Personen; Bemerkungen",
    },
    Kind {
        names: &["patient", "patienten", "anamnese", "anamnesebogen", "patientenaufnahme"],
        fields: "Vorname (Pflichtfeld); Nachname (Pflichtfeld); Geburtsdatum (Pflichtfeld); Telefon; Adresse; Krankenkasse; Versichertennummer; Beschwerden; Medikamente; Allergien",
    },
    Kind {
        names: &["feedback", "umfrage", "kundenzufriedenheit", "bewertung", "rückmeldung"],
        fields: "Name (optional); Bewertung von 1 bis 5 (Pflichtfeld); Lob; Kritik; Weiterempfehlung (ja/nein); Bemerkungen",
    },
    Kind {
        names: &["bestellung", "auftrag", "bestellformular"],
        fields: "Kunde (Pflichtfeld); E-Mail; Lieferadresse; Positionen (Bezeichnung, Menge, Preis); Gesamtbetrag; Lieferdatum; Bemerkungen",
    },
];

const FRENCH: &[Kind] = &[
    Kind {
        names: &["facture", "factures"],
        fields: "numéro de facture (obligatoire); date de facture; date d'échéance; fournisseur; client; lignes (description, quantité, prix); montant hors taxe; montant de la taxe; montant total (obligatoire); devise",
    },
    Kind {
        names: &["contact"],
        fields: "nom (obligatoire); adresse e-mail (obligatoire); téléphone; sujet; message (obligatoire)",
    },
    Kind {
        names: &["candidature", "candidat", "emploi"],
        fields: "nom (obligatoire); prénom (obligatoire); adresse e-mail (obligatoire); téléphone; poste; expérience; formation; compétences; date de disponibilité; salaire souhaité",
    },
    Kind {
        names: &["inscription", "evenement"],
        fields: "nom (obligatoire); prénom (obligatoire); adresse e-mail (obligatoire); téléphone; nombre de personnes; remarques",
    },
    Kind {
        names: &["patient", "medical", "medicale"],
        fields: "nom (obligatoire); prénom (obligatoire); date de naissance (obligatoire); téléphone; adresse; mutuelle; motif de la visite; traitements; allergies",
    },
    Kind {
        names: &["avis", "satisfaction", "enquete", "sondage"],
        fields: "nom (facultatif); note de 1 à 5 (obligatoire); points positifs; points à améliorer; commentaires",
    },
    Kind {
        names: &["commande"],
        fields: "client (obligatoire); adresse e-mail; adresse de livraison; articles (description, quantité, prix); montant total; date de livraison; remarques",
    },
];

const SPANISH: &[Kind] = &[
    Kind {
        names: &["factura", "facturas"],
        fields: "número de factura (obligatorio); fecha de factura; fecha de vencimiento; proveedor; cliente; líneas (descripción, cantidad, precio); importe neto; importe de impuestos; importe total (obligatorio); moneda",
    },
    Kind {
        names: &["contacto"],
        fields: "nombre (obligatorio); correo electrónico (obligatorio); teléfono; asunto; mensaje (obligatorio)",
    },
    Kind {
        names: &["empleo", "candidato", "candidatura", "trabajo"],
        fields: "nombre (obligatorio); apellidos (obligatorio); correo electrónico (obligatorio); teléfono; puesto; experiencia; formación; habilidades; fecha de incorporación; salario deseado",
    },
    Kind {
        names: &["inscripcion", "evento", "registro"],
        fields: "nombre (obligatorio); apellidos (obligatorio); correo electrónico (obligatorio); teléfono; número de personas; comentarios",
    },
    Kind {
        names: &["paciente", "medico", "medica", "clinica"],
        fields: "nombre (obligatorio); apellidos (obligatorio); fecha de nacimiento (obligatorio); teléfono; dirección; seguro; motivo de la visita; medicamentos; alergias",
    },
    Kind {
        names: &["opinion", "satisfaccion", "encuesta"],
        fields: "nombre (opcional); valoración de 1 a 5 (obligatorio); aspectos positivos; aspectos mejorables; comentarios",
    },
    Kind {
        names: &["pedido"],
        fields: "cliente (obligatorio); correo electrónico; dirección de entrega; artículos (descripción, cantidad, precio); importe total; fecha de entrega; comentarios",
    },
];

/// The fields of a form that says nothing of itself.
const PLAIN: [(Language, &str); 4] = [
    (Language::English, "name; date; description"),
    (Language::German, "Name; Datum; Beschreibung"),
    (Language::French, "nom; date; description"),
    (Language::Spanish, "nombre; fecha; descripción"),
];

/// The list of fields of the kind of form that `text` names, with the language it is written in. The
/// longest name decides; among equals the one that stands first.
pub(super) fn fields(text: &str, language: Language) -> Option<(&'static str, Language)> {
    let spaced = text.replace(['-', '/', ',', '.', ':', '?', '!'], " ");
    let (plain, hyphened) = (words(&spaced), words(text));
    let own: &[Kind] = match language {
        Language::English => &[],
        Language::German => GERMAN,
        Language::French => FRENCH,
        Language::Spanish => SPANISH,
    };
    let all = [
        (own, language),
        (ENGLISH, Language::English),
        (GERMAN, Language::German),
        (FRENCH, Language::French),
        (SPANISH, Language::Spanish),
    ];
    for (kinds, language) in all {
        let named = kinds.iter().filter_map(|kind| {
            let place = |name: &&&str| {
                let at = (0..plain.len()).find(|at| stands_at(&plain, *at, name));
                at.or_else(|| (0..hyphened.len()).find(|at| longest_at(&hyphened, *at, &[name]) > 0))
                    .map(|at| (length(name), usize::MAX - at))
            };
            kind.names.iter().filter_map(|name| place(&name)).max().map(|rank| (rank, kind))
        });
        if let Some((_, kind)) = named.max_by_key(|(rank, _)| *rank) {
            return Some((kind.fields, language));
        }
    }
    None
}

/// The fields of a form whose kind is not known.
pub(super) fn plain_form(language: Language) -> &'static str {
    PLAIN.iter().find(|(own, _)| *own == language).map_or("name; date; description", |(_, fields)| fields)
}
