//! Words of names: legal forms, what shops are called, and what is no name.

/// Legal forms of many countries, folded.
pub(super) const LEGAL: &[&str] = &[
    "ltd", "limited", "inc", "llc", "llp", "plc", "corp", "corporation", "gmbh", "ag", "kg", "kgaa", "ug", "ev",
    "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ab", "as", "oy", "oyj", "aps", "bhd", "berhad", "sdn",
    "pte", "pty", "pvt", "co", "company", "kk", "sl", "lda", "ltda", "sro", "zoo", "doo", "kft", "incorporated",
    "sb", "se", "ohg", "gbr", "eg", "eirl", "asa", "hf", "snc", "vof", "ek", "sca", "sccl", "plt",
];

/// Words that names of businesses have.
pub(super) const VENUES: &[&str] = &[
    "restaurant", "restoran", "cafe", "kopitiam", "bakery", "hotel", "store", "stores", "shop", "mart",
    "market", "supermarket", "hypermarket", "pharmacy", "farmasi", "trading", "enterprise", "enterprises",
    "hardware", "stationery", "books", "bookstore", "bookstores", "industries", "services", "solutions",
    "holdings", "group", "bank", "clinic", "hospital", "university", "school", "association", "foundation",
    "electrical", "motor", "motors", "auto", "machinery", "supply", "supplies", "food", "foods", "bistro",
    "station", "house", "kitchen", "garden", "department", "telecom", "airlines", "logistics", "technologies",
    "systems", "consulting", "minimarket", "grocery", "bar", "grill", "pizza", "coffee", "seafood", "salon",
    "studio", "gallery", "optical", "dental", "apotheke", "werkstatt", "boutique", "librairie", "panaderia",
    "farmacia", "ristorante", "confectionery", "boulangerie", "backerei", "panificio", "padaria", "brasserie",
    "trattoria", "taverna", "deli", "diner", "pub", "inn", "tavern", "burger", "sushi", "fashion", "shoes",
    "jewellers", "florist", "butcher", "nursery", "garage", "tyres", "petrol", "fuel", "gas", "tankstelle",
    "markt", "supermarkt", "mercado", "mercato", "drogerie", "optik", "buchhandlung", "praxis", "klinik",
    "farmacie", "taxi", "lodge", "resort", "guesthouse", "museum", "theatre", "cinema", "volksbank",
    "sparkasse", "college", "institute", "society", "club",
];

/// Titles of papers, which are no names.
pub(super) const TITLES: &[&str] = &[
    "invoice", "payment", "receipt", "tax", "simplified", "cash", "bill", "sales", "official", "copy",
    "original", "welcome", "thank", "page", "order", "date", "number", "rechnung", "facture", "factura",
    "factuur", "credit", "debit", "memo", "statement", "quotation", "delivery", "slip", "customer", "duplicate",
    "reprint", "voucher", "confirmation", "no", "nr", "details", "note", "retail", "vat", "total", "amount",
    "summary", "check", "in", "out", "rooms", "gst", "fattura", "description", "account", "purchase", "po",
    "bon", "ticket", "beleg", "quittung", "kassenbon", "recu", "recibo", "ricevuta", "lieferschein",
    "auftragsbestatigung", "angebot", "bestellung", "kopie", "copie", "fatura", "faktura", "scontrino",
    "documento", "commerciale", "guest", "hotel", "booking", "report", "form", "agreement", "contract",
    "vertrag", "contrat", "contrato", "contratto", "card", "to", "from", "the", "of", "and", "lebenslauf", "cv",
    "resume", "curriculum", "vitae", "profile", "billing", "shipping", "address", "rechnungsadresse",
    "lieferadresse", "factuuradres", "afleveradres", "facturation", "livraison",
];

/// Names of papers that may stand behind the issuer's.
pub(super) const PAPER_NAMES: &[&str] = &[
    "invoice", "receipt", "rechnung", "facture", "factura", "factuur", "fattura", "statement",
];

/// Words of sentences, which names have not.
pub(super) const SENTENCES: &[&str] = &[
    "thank", "thanks", "you", "please", "welcome", "your", "is", "are", "goods", "visit", "returnable",
    "refundable", "exchange", "call", "again", "for", "we", "this", "if", "feedback", "vielen", "dank", "merci",
    "gracias", "tq",
];

/// Endings of addresses on the net that are no names.
pub(super) const NET_WORDS: &[&str] = &[
    "www", "com", "co", "net", "org", "info", "mail", "gmail", "yahoo", "hotmail", "outlook", "http", "https",
];
