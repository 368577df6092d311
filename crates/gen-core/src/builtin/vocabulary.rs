//! The words of business documents in several languages, folded to concepts.

/// Words (lower case, without marks) and the concept they stand for.
const WORDS: &[(&str, &[&str])] = &[
    ("invoice", &["invoice", "inv", "rechnung", "facture", "factura", "fattura", "bill"]),
    ("receipt", &["receipt", "quittung", "beleg", "recu", "recibo", "ricevuta"]),
    (
        "number",
        &[
            "number",
            "no",
            "nr",
            "num",
            "nummer",
            "numero",
            "nro",
            "nbr",
            "id",
            "identifier",
            "code",
            "ref",
            "reference",
            "referenz",
        ],
    ),
    ("date", &["date", "dated", "datum", "fecha", "data", "day"]),
    (
        "total",
        &[
            "total",
            "gesamt",
            "gesamtbetrag",
            "gesamtsumme",
            "summe",
            "totale",
            "totaal",
            "endbetrag",
            "rechnungsbetrag",
        ],
    ),
    ("amount", &["amount", "betrag", "montant", "importe", "importo", "sum", "amt", "value"]),
    ("grand", &["grand", "final", "overall"]),
    (
        "due",
        &[
            "due",
            "payable",
            "fallig",
            "faellig",
            "vencimiento",
            "echeance",
            "scadenza",
            "deadline",
            "payby",
            "fälligkeitsdatum",
            "falligkeitsdatum",
        ],
    ),
    (
        "tax",
        &[
            "tax",
            "vat",
            "gst",
            "sst",
            "mwst",
            "ust",
            "umsatzsteuer",
            "mehrwertsteuer",
            "steuer",
            "iva",
            "tva",
            "taxes",
        ],
    ),
    ("subtotal", &["subtotal", "netto", "net", "zwischensumme", "subtotale"]),
    ("sub", &["sub"]),
    ("discount", &["discount", "disc", "rabatt", "remise", "descuento", "saving", "savings", "saved"]),
    ("change", &["change", "ruckgeld", "wechselgeld", "balance", "cambio"]),
    (
        "cash",
        &[
            "cash",
            "tendered",
            "tender",
            "bar",
            "paid",
            "received",
            "visa",
            "mastercard",
            "card",
            "credit",
            "debit",
            "gegeben",
        ],
    ),
    ("rounding", &["rounding", "round", "rounded", "rundung", "adj", "adjustment", "rnd"]),
    (
        "quantity",
        &[
            "quantity", "qty", "menge", "anzahl", "quantite", "cantidad", "count", "items", "item", "pcs",
            "units",
        ],
    ),
    ("price", &["price", "preis", "prix", "precio", "prezzo", "cost", "rate", "einzelpreis"]),
    (
        "description",
        &[
            "description",
            "beschreibung",
            "bezeichnung",
            "designation",
            "descripcion",
            "article",
            "artikel",
            "product",
            "produkt",
        ],
    ),
    (
        "birth",
        &[
            "birth",
            "born",
            "dob",
            "birthday",
            "geburtsdatum",
            "geboren",
            "geburt",
            "naissance",
            "nacimiento",
            "birthdate",
        ],
    ),
    (
        "start",
        &[
            "start",
            "begin",
            "beginning",
            "commencement",
            "commence",
            "effective",
            "from",
            "beginn",
            "debut",
            "inicio",
            "startdate",
        ],
    ),
    (
        "end",
        &[
            "end",
            "ending",
            "termination",
            "expiry",
            "expiration",
            "expires",
            "until",
            "ende",
            "fin",
            "valid",
            "expire",
        ],
    ),
    ("issue", &["issue", "issued", "ausstellung", "emission", "ausgestellt"]),
    (
        "delivery",
        &[
            "delivery",
            "deliver",
            "delivered",
            "lieferung",
            "lieferdatum",
            "livraison",
            "entrega",
            "liefertermin",
        ],
    ),
    ("shipping", &["shipping", "ship", "shipped", "shipment", "versand", "envio", "freight"]),
    (
        "order",
        &[
            "order",
            "bestellung",
            "bestellnummer",
            "commande",
            "pedido",
            "auftrag",
            "auftragsnummer",
            "ordine",
        ],
    ),
    ("purchase", &["purchase", "po", "einkauf", "achat", "compra"]),
    ("payment", &["payment", "zahlung", "paiement", "pago", "pay"]),
    ("hire", &["hire", "hired", "joining", "joined", "employment", "eintritt"]),
    ("print", &["print", "printed", "gedruckt"]),
    (
        "customer",
        &[
            "customer",
            "client",
            "kunde",
            "kunden",
            "kundennummer",
            "buyer",
            "cliente",
            "purchaser",
            "billed",
            "sold",
            "billto",
            "acheteur",
        ],
    ),
    (
        "vendor",
        &[
            "vendor",
            "seller",
            "supplier",
            "lieferant",
            "issuer",
            "merchant",
            "fournisseur",
            "proveedor",
            "verkaufer",
            "store",
            "shop",
        ],
    ),
    (
        "company",
        &[
            "company",
            "organisation",
            "organization",
            "business",
            "firm",
            "firma",
            "corporation",
            "societe",
            "empresa",
            "entreprise",
            "institution",
        ],
    ),
    ("employer", &["employer", "arbeitgeber"]),
    ("bank", &["bank", "banque", "banco"]),
    ("address", &["address", "adresse", "direccion", "anschrift", "indirizzo", "street", "location"]),
    ("email", &["email", "mail", "e-mail", "correo"]),
    (
        "phone",
        &[
            "phone",
            "telephone",
            "tel",
            "telefon",
            "mobile",
            "mob",
            "cell",
            "handy",
            "hp",
            "telefono",
            "mobil",
            "contactno",
        ],
    ),
    ("fax", &["fax", "telefax"]),
    ("url", &["url", "website", "web", "site", "homepage", "www", "webseite", "link"]),
    ("iban", &["iban"]),
    ("currency", &["currency", "wahrung", "devise", "moneda"]),
    ("percent", &["percent", "percentage", "prozent", "pourcentage"]),
    ("name", &["name", "nom", "nombre", "nome", "fullname"]),
    (
        "person",
        &[
            "person",
            "contact",
            "applicant",
            "employee",
            "patient",
            "tenant",
            "landlord",
            "signatory",
            "candidate",
            "bewerber",
            "mieter",
            "vermieter",
            "cashier",
            "salesperson",
            "ansprechpartner",
        ],
    ),
    ("first", &["first", "given", "vorname", "prenom"]),
    ("last", &["last", "family", "surname", "nachname"]),
    ("rent", &["rent", "miete", "kaltmiete", "loyer", "alquiler", "renta"]),
    ("deposit", &["deposit", "kaution", "caution", "fianza"]),
    ("salary", &["salary", "wage", "gehalt", "salaire", "salario", "compensation"]),
    ("time", &["time", "uhrzeit", "heure", "hora"]),
    ("registration", &["registration", "reg", "regno", "gstid", "taxid", "vatid"]),
    ("account", &["account", "konto", "compte", "cuenta", "acct"]),
    ("term", &["term", "terms", "laufzeit", "duree", "plazo", "duration"]),
    ("title", &["title", "position", "role", "job", "stelle", "poste"]),
    ("city", &["city", "town", "stadt", "ville", "ciudad"]),
    ("country", &["country", "land", "pays", "pais"]),
    ("notes", &["note", "notes", "remark", "remarks", "comment", "comments"]),
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
    "bank",
    "tax",
    "subtotal",
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
];

/// Concepts that say what kind of paper it is; a label may leave them out.
pub(crate) const PAPER: &[&str] =
    &["invoice", "receipt", "issue", "document", "vendor", "company", "number", "name", "amount", "value"];

/// The concept of a word that is already folded; the word itself when it has none.
pub(crate) fn concept(word: &str) -> &str {
    WORDS.iter().find(|(_, words)| words.contains(&word)).map_or(word, |(concept, _)| concept)
}

/// Words that carry no meaning in a label.
pub(crate) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "of"
            | "for"
            | "a"
            | "an"
            | "in"
            | "on"
            | "to"
            | "and"
            | "is"
            | "are"
            | "your"
            | "our"
            | "this"
            | "der"
            | "die"
            | "das"
            | "des"
            | "de"
            | "la"
            | "le"
            | "du"
            | "el"
            | "rm"
            | "usd"
            | "eur"
            | "myr"
            | "gbp"
            | "as"
            | "at"
            | "by"
    )
}
