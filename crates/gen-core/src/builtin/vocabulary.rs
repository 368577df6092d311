//! The words of business documents in several languages, folded to concepts. It knows words, not
//! documents.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A concept, and the words (lower case, without marks) that stand for it.
const WORDS: &[(&str, &str)] = &[
    ("invoice", "invoice inv rechnung facture factura fattura factuur fatura faktura bill faktuur"),
    ("document", "document dokument documento doc transaction trans paper trx"),
    ("receipt", "receipt quittung beleg recu recibo ricevuta kassenbon bon"),
    (
        "number",
        "number no nr num nummer numero nro nbr id identifier code ref reference referenz referencia riferimento numer num\u{ba} n idnr idno",
    ),
    ("date", "date dated datum fecha data day dt dato"),
    ("total", "total gesamt summe totale totaal ttl tot totals razem suma"),
    ("amount", "amount betrag montant importe importo sum amt value bedrag valor kwota"),
    ("grand", "grand final overall"),
    (
        "due",
        "due payable fallig faellig vencimiento echeance scadenza deadline payby zahlbar vervaldatum vervaldag",
    ),
    ("tax", "tax vat gst sst mwst ust umsatzsteuer mehrwertsteuer steuer iva tva taxes btw hst pst taxe"),
    ("subtotal", "subtotal zwischensumme subtotale subtotaal"),
    ("net", "net netto nett untaxed ht"),
    ("gross", "gross brutto bruto ttc"),
    ("discount", "discount disc rabatt remise descuento saving savings saved sconto korting"),
    ("change", "change ruckgeld wechselgeld cambio"),
    (
        "cash",
        "cash tendered tender bar paid received visa mastercard card credit debit gegeben bargeld contant",
    ),
    ("rounding", "rounding round rounded rundung adj adjustment rnd"),
    (
        "quantity",
        "quantity qty menge anzahl quantite cantidad count items pcs units quantita aantal ilosc qte cant",
    ),
    ("price", "price preis prix precio prezzo cost rate einzelpreis prijs cena"),
    (
        "description",
        "description beschreibung bezeichnung designation descripcion article artikel product produkt item descrizione omschrijving",
    ),
    ("birth", "birth born dob birthday geburtsdatum geboren geburt naissance nacimiento nascita"),
    (
        "start",
        "start begin beginning commencement commence commencing effective from beginn debut inicio inizio startdatum starting",
    ),
    ("end", "end ending termination expiry expiration expires until ende fin expire einddatum fine expiring"),
    ("issue", "issue issued ausstellung emission ausgestellt emision ausstellungsdatum emissione"),
    ("delivery", "delivery deliver delivered lieferung livraison entrega leverdatum consegna levering"),
    ("shipping", "shipping ship shipped shipment versand envio freight expedition dispatch"),
    ("order", "order bestellung commande pedido auftrag ordine bestel"),
    ("purchase", "purchase einkauf achat compra purchased"),
    ("payment", "payment zahlung paiement pago pay zahlungs betaling pagamento reglement"),
    ("hire", "hire hired joining joined employment eintritt"),
    ("print", "print printed gedruckt"),
    (
        "customer",
        "customer client kunde kunden buyer cliente purchaser billed acheteur klant clienti kaufer besteller",
    ),
    (
        "vendor",
        "vendor seller supplier lieferant issuer merchant fournisseur proveedor verkaufer store shop sprzedawca retailer vendeur fornitore",
    ),
    (
        "company",
        "company organisation organization business firm firma corporation societe empresa entreprise institution azienda",
    ),
    ("employer", "employer arbeitgeber employeur empleador"),
    ("landlord", "landlord lessor vermieter bailleur arrendador"),
    ("tenant", "tenant lessee mieter locataire arrendatario renter"),
    ("patient", "patient paciente paziente"),
    ("applicant", "applicant candidate bewerber candidat candidato"),
    ("doctor", "doctor physician arzt medecin medico dr"),
    ("emergency", "emergency notfall urgence emergencia"),
    ("bank", "bank banque banco banca"),
    ("address", "address adresse direccion anschrift indirizzo street location adres domicilio wohnhaft"),
    ("email", "email mail correo emailadresse"),
    (
        "phone",
        "phone telephone tel telefon mobile mob cell handy hp telefono mobil contactno telefoon tlf ph",
    ),
    ("fax", "fax telefax"),
    ("url", "url website web homepage www webseite link internet"),
    ("iban", "iban"),
    ("bic", "bic swift"),
    ("currency", "currency wahrung devise moneda valuta waluta"),
    ("percent", "percent percentage prozent pourcentage porcentaje"),
    ("name", "name nom nombre nome fullname naam nazwa"),
    (
        "person",
        "person contact employee signatory cashier salesperson ansprechpartner kassierer interlocuteur attn attention",
    ),
    ("first", "first given vorname prenom"),
    ("last", "last family surname nachname apellido apellidos"),
    ("rent", "rent miete kaltmiete loyer alquiler renta"),
    ("deposit", "deposit kaution caution fianza"),
    ("salary", "salary wage gehalt salaire salario compensation"),
    ("time", "time uhrzeit heure hora"),
    ("registration", "registration reg regno registered"),
    ("account", "account konto compte cuenta acct kontonummer"),
    (
        "term",
        "term terms laufzeit duree plazo duration condition conditions bedingung bedingungen condiciones condizioni",
    ),
    ("title", "title position role job stelle poste puesto"),
    ("city", "city town stadt ville ciudad ort citta"),
    ("country", "country land pays pais paese"),
    ("postcode", "postcode zip zipcode postleitzahl plz"),
    ("notes", "note notes remark remarks comment comments bemerkung bemerkungen"),
    ("jurisdiction", "jurisdiction law laws governing gerichtsstand governed"),
    ("insurance", "insurance versicherung assurance seguro insurer krankenkasse"),
];

/// Words that carry two concepts, such as German compounds.
const COMPOUNDS: &[(&str, &str, &str)] = &[
    ("invoice", "number", "rechnungsnummer rechnungsnr invoiceno factuurnummer fakturanummer rechnungsnum"),
    ("invoice", "date", "rechnungsdatum invoicedate factuurdatum belegdatum"),
    ("order", "number", "bestellnummer bestellnr auftragsnummer auftragsnr orderno ordernummer"),
    ("order", "date", "bestelldatum orderdatum auftragsdatum orderdate"),
    ("customer", "number", "kundennummer kundennr klantnummer kundenr"),
    ("birth", "date", "geburtsdatum dob birthdate birthday geboortedatum"),
    ("due", "date", "falligkeitsdatum faelligkeitsdatum duedate vervaldatum zahlungsziel"),
    ("delivery", "date", "lieferdatum liefertermin leverdatum"),
    ("delivery", "address", "lieferadresse lieferanschrift"),
    ("invoice", "address", "rechnungsadresse rechnungsanschrift"),
    ("total", "amount", "gesamtbetrag rechnungsbetrag endbetrag gesamtsumme totaalbedrag bruttobetrag"),
    ("net", "amount", "nettobetrag"),
    ("start", "date", "mietbeginn vertragsbeginn startdate startdatum eintrittsdatum"),
    ("end", "date", "mietende vertragsende enddate einddatum"),
    ("payment", "term", "zahlungsbedingungen zahlungsbedingung betalingsvoorwaarden"),
    ("issue", "date", "ausstellungsdatum"),
    ("price", "amount", "einzelpreis stuckpreis"),
    ("purchase", "order", "po"),
    ("tax", "number", "steuernummer steuernr taxid vatid gstid ustid ustidnr uid partitaiva nif siret gstin"),
    ("insurance", "number", "versicherungsnummer versichertennummer"),
];

/// Concepts that tell one value of a kind from another: a field that names one is filled only where
/// the label has it too.
pub(crate) const QUALIFIERS: &[&str] = &[
    "due",
    "birth",
    "start",
    "end",
    "delivery",
    "shipping",
    "order",
    "purchase",
    "payment",
    "hire",
    "print",
    "customer",
    "employer",
    "landlord",
    "tenant",
    "patient",
    "applicant",
    "doctor",
    "emergency",
    "bank",
    "tax",
    "subtotal",
    "net",
    "discount",
    "change",
    "cash",
    "rounding",
    "deposit",
    "rent",
    "salary",
    "fax",
    "account",
    "first",
    "last",
    "registration",
    "price",
    "quantity",
    "insurance",
];

/// Qualifiers of dates that a description can demand too.
pub(crate) const TIMES: &[&str] = &["due", "birth", "start", "end", "delivery", "shipping", "hire"];

/// Qualifiers of whom an organisation or address belongs to, which a description can demand too.
pub(crate) const PARTIES: &[&str] =
    &["customer", "employer", "landlord", "tenant", "patient", "applicant", "delivery", "shipping", "bank"];

/// Concepts that say what kind of paper it is; a label may leave them out.
pub(crate) const PAPER: &[&str] =
    &["invoice", "receipt", "issue", "document", "vendor", "company", "number", "name", "amount"];

/// Concepts that may stand for each other, if less well than for themselves.
pub(crate) const ALIKE: &[&[&str]] = &[&["invoice", "receipt", "document"], &["net", "subtotal"]];

/// Nouns that mean nothing without what they are of.
pub(crate) const NOUNS: &[&str] = &["number", "name", "amount"];

/// Nouns that say the kind of a value and not whose it is.
pub(crate) const KINDS: &[&str] =
    &["date", "email", "phone", "address", "number", "name", "amount", "url", "time", "percent", "currency"];

static CONCEPTS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = WORDS.iter().flat_map(|(concept, words)| words.split(' ').map(|word| (word, *concept)));
    pairs.collect()
});

type Pair = (&'static str, &'static str);

static PAIRS: LazyLock<HashMap<&'static str, Pair>> = LazyLock::new(|| {
    let pairs = COMPOUNDS
        .iter()
        .flat_map(|(first, second, words)| words.split(' ').map(|word| (word, (*first, *second))));
    pairs.collect()
});

/// The concept of a folded word.
pub(crate) fn concept(word: &str) -> Option<&'static str> {
    CONCEPTS.get(word).copied()
}

/// Whether a word of [`super::labels::words`] is a concept.
pub(crate) fn is_concept(word: &str) -> bool {
    WORDS.iter().any(|(concept, _)| *concept == word)
}

/// The two concepts of a folded compound.
pub(crate) fn compound(word: &str) -> Option<Pair> {
    PAIRS.get(word).copied()
}

/// The concept that two words have together.
pub(crate) fn phrase(first: &str, second: &str) -> Option<&'static str> {
    Some(match (first, second) {
        ("e", "mail") => "email",
        ("sub", "total") => "subtotal",
        ("bill" | "sold" | "billed" | "billing" | "invoice" | "invoiced", "to") => "customer",
        ("ship" | "deliver" | "shipped", "to") => "shipping",
        ("web", "site") => "url",
        ("zip" | "post" | "postal", "code") => "postcode",
        ("zu", "zahlen") | ("te", "betalen") | ("a", "payer") | ("a", "pagar") => "due",
        ("pay", "by") => "due",
        (
            "excl" | "exclusief" | "excluding" | "exclusive" | "ohne" | "hors" | "before" | "exkl" | "sin",
            tax,
        ) if concept(tax) == Some("tax") => "subtotal",
        ("valid", "until" | "thru" | "to") => "end",
        _ => return None,
    })
}

/// Words that carry no meaning in a label.
pub(crate) fn is_filler(word: &str) -> bool {
    const FILLERS: &[&str] = &[
        "the", "of", "for", "a", "an", "in", "on", "to", "and", "is", "are", "your", "our", "this", "der",
        "die", "das", "des", "de", "la", "le", "du", "el", "rm", "usd", "eur", "myr", "gbp", "as", "at",
        "by", "full", "complete", "main", "home", "primary", "l", "d", "del", "den", "dem", "und", "et", "y",
        "van", "het", "il", "s", "il", "di", "with",
    ];
    FILLERS.contains(&word)
}
