//! Words that values are made of.

/// Yes and no.
pub(crate) const FLAGS: [(&str, &str); 10] = [
    ("Yes", "No"),
    ("Ja", "Nein"),
    ("Oui", "Non"),
    ("Sí", "No"),
    ("Sì", "No"),
    ("Ja", "Nee"),
    ("Tak", "Nie"),
    ("Sim", "Não"),
    ("Ja", "Nej"),
    ("Ano", "Ne"),
];

/// A sentence with what there is, and one with what there is not; `{}` is its name.
pub(crate) const SENTENCES: [(&str, &str); 10] = [
    ("{} is included.", "{} is not included."),
    ("", ""),
    ("{} est compris.", "{} n'est pas compris."),
    ("", ""),
    ("", ""),
    ("{} is inbegrepen.", "{} is niet inbegrepen."),
    ("{} jest w cenie.", "{} nie jest w cenie."),
    ("", ""),
    ("{} ingår.", "{} ingår inte."),
    ("S položkou {}.", "Bez položky {}."),
];

pub(crate) const FIRST: [&str; 16] = [
    "Anna", "Jan", "Marta", "Luis", "Eva", "Paul", "Nora", "Marek", "Sofia", "Tom", "Clara", "Hugo", "Ines",
    "Oskar", "Lena", "Pedro",
];
pub(crate) const LAST: [&str; 16] = [
    "Becker", "Nowak", "Silva", "Rossi", "Martin", "Visser", "Castillo", "Wood", "Huber", "Moreau", "Costa",
    "Kaminska", "Jansen", "Ferri", "Ortega", "Hale",
];
pub(crate) const FIRMS: [&str; 16] = [
    "Nordwind",
    "Alpenglas",
    "Meridian",
    "Castor",
    "Blueline",
    "Verde",
    "Fenix",
    "Atlas",
    "Solaris",
    "Quarz",
    "Lumen",
    "Tessera",
    "Arbor",
    "Delfin",
    "Pontis",
    "Vela",
];
pub(crate) const TRADES_OF_FIRMS: [&str; 8] =
    ["Logistics", "Textil", "Energy", "Foods", "Medical", "Optik", "Bau", "Systems"];
pub(crate) const FORMS_OF_FIRMS: [&str; 8] =
    ["Ltd", "GmbH", "SARL", "S.L.", "S.r.l.", "B.V.", "Sp. z o.o.", "Lda"];
pub(crate) const STREETS: [&str; 8] = [
    "Market Street 12",
    "Lindenweg 4",
    "12 rue du Port",
    "Calle Mayor 7",
    "Via Roma 31",
    "Keizersgracht 88",
    "ul. Długa 5",
    "Rua Nova 19",
];
pub(crate) const CITIES: [&str; 16] = [
    "Leeds", "Kassel", "Nantes", "Sevilla", "Parma", "Utrecht", "Kraków", "Porto", "Bristol", "Bremen",
    "Lille", "Bilbao", "Torino", "Breda", "Gdynia", "Braga",
];
pub(crate) const THINGS: [&str; 16] = [
    "Steel bracket",
    "Copper cable",
    "Office chair",
    "Filter unit",
    "Glass panel",
    "Paper roll",
    "Pump seal",
    "Desk lamp",
    "Oak board",
    "Paint bucket",
    "Hinge set",
    "Valve block",
    "Sensor kit",
    "Wall anchor",
    "Drill head",
    "Gear wheel",
];
pub(crate) const SORTS: [&str; 8] =
    ["small", "large", "blue", "grey", "type B", "series 4", "premium", "basic"];
