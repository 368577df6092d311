//! Papers that nothing is learned from and by which nothing is chosen; labels in English, Swedish and Czech.

use super::Make::{
    Choice, City, Code, Company, Count, Date, Email, Flag, Money, Percent, Person, Phone, Phrase,
};
use super::{Item, Trade, item};

const MAIL: Item = item("email", Email, "E-mail|E-post|E-mail");
const START: Item = item("start_date", Date, "Start date|Startdatum|Datum zahájení");
const END: Item = item("end_date", Date, "End date|Slutdatum|Datum ukončení");

pub(super) const ENERGY_BILL: Trade = Trade {
    name: "energy bill",
    fields: &[
        item("account_number", Code("EN"), "Account No.|Kundnummer|Číslo účtu"),
        item("customer_name", Person, "Customer|Kund|Zákazník"),
        item("supplier", Company, "Supplier|Leverantör|Dodavatel"),
        item("meter_number", Code("M"), "Meter No.|Mätarnummer|Číslo elektroměru"),
        item("billing_date", Date, "Billing date|Fakturadatum|Datum vystavení"),
        item("due_date", Date, "Due date|Förfallodatum|Datum splatnosti"),
        item("consumption", Money(900), "Consumption|Förbrukning|Spotřeba"),
        item("standing_charge", Money(30), "Standing charge|Fast avgift|Stálý plat"),
        item("total", Money(240), "Total|Totalt|Celkem"),
        item("green_energy", Flag, "Green energy|Grön el|Zelená energie"),
        item("estimated_reading", Flag, "Estimated reading|Uppskattad avläsning|Odhadovaný odečet"),
        MAIL,
    ],
    rows: None,
};

pub(super) const INSPECTION: Trade = Trade {
    name: "vehicle inspection",
    fields: &[
        item("licence_plate", Code("ZB "), "Licence plate|Registreringsnummer|Registrační značka"),
        item("chassis_number", Code("WVZ"), "Chassis No.|Chassinummer|Číslo podvozku"),
        item("owner", Person, "Owner|Ägare|Vlastník"),
        item("station", Company, "Test station|Besiktningsstation|Stanice kontroly"),
        item("inspection_date", Date, "Inspection date|Besiktningsdatum|Datum kontroly"),
        item("next_inspection", Date, "Next inspection|Nästa besiktning|Příští kontrola"),
        item("mileage", Count(200_000), "Mileage|Mätarställning|Stav tachometru"),
        item("fee", Money(60), "Fee|Avgift|Poplatek"),
        item("result", Choice(&["passed", "failed", "deferred"]), "Result|Resultat|Výsledek"),
        item("brakes_passed", Flag, "Brakes|Bromsar|Brzdy"),
        item("lights_passed", Flag, "Lights|Belysning|Osvětlení"),
        item("tow_bar", Flag, "Tow bar|Dragkrok|Tažné zařízení"),
    ],
    rows: Some((
        "defects",
        &[
            item("code", Code("D"), "Code|Kod|Kód"),
            item("part", Phrase, "Part|Del|Díl"),
            item("cost", Money(80), "Cost|Kostnad|Cena"),
        ],
    )),
};

pub(super) const REGISTRATION: Trade = Trade {
    name: "course registration",
    fields: &[
        item("participant", Person, "Participant|Deltagare|Účastník"),
        item("birth_date", Date, "Date of birth|Födelsedatum|Datum narození"),
        item("course", Phrase, "Course|Kurs|Kurz"),
        item("provider", Company, "Provider|Arrangör|Pořadatel"),
        item("city", City, "City|Ort|Město"),
        START,
        END,
        item("fee", Money(320), "Fee|Kursavgift|Kurzovné"),
        item("seats", Count(40), "Seats|Platser|Počet míst"),
        item("phone", Phone, "Phone|Telefon|Telefon"),
        MAIL,
        item("vegetarian_meals", Flag, "Vegetarian meals|Vegetarisk kost|Vegetariánská strava"),
        item("newsletter", Flag, "Newsletter|Nyhetsbrev|Zpravodaj"),
        item("photo_consent", Flag, "Photo consent|Fotosamtycke|Souhlas s fotografováním"),
    ],
    rows: None,
};

pub(super) const LOAN: Trade = Trade {
    name: "loan agreement",
    fields: &[
        item("contract_number", Code("LN-"), "Contract No.|Avtalsnummer|Číslo smlouvy"),
        item("borrower", Person, "Borrower|Låntagare|Dlužník"),
        item("lender", Company, "Lender|Långivare|Věřitel"),
        item("principal", Money(18_000), "Principal|Lånebelopp|Jistina"),
        item("interest_rate", Percent, "Interest rate|Räntesats|Úroková sazba"),
        item("term_months", Count(120), "Term (months)|Löptid (månader)|Doba splácení (měsíce)"),
        START,
        END,
        item("secured", Flag, "Collateral|Säkerhet|Zajištění"),
        item("early_repayment", Flag, "Early repayment|Förtida återbetalning|Předčasné splacení"),
    ],
    rows: Some((
        "payments",
        &[
            item("date", Date, "Date|Datum|Datum"),
            item("instalment", Money(400), "Instalment|Belopp|Splátka"),
            item("remaining", Money(9_000), "Remaining|Återstår|Zůstatek"),
        ],
    )),
};
