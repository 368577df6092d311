//! Words of streets, buildings, regions and countries. It knows words, not documents.

use language::fold::fold_word;
use language::label::NameWord;

/// Legal forms, which make a line the name of a business and not a place.
pub(crate) const LEGAL_FORMS: &[&str] = &[
    "ltd", "limited", "inc", "llc", "llp", "plc", "gmbh", "ag", "kg", "sarl", "srl", "bv", "sdn", "bhd",
    "berhad", "pte", "pty", "pvt", "corp", "sb", "lda", "ltda", "sas", "spa", "nv", "ohg", "plt", "sro",
    "kft", "oy",
];

/// Suffixes of street names that are one word.
const STREET_ENDS: &[&str] =
    &["strasse", "straat", "str", "gasse", "allee", "platz", "weg", "gade", "gatan", "vej", "laan"];

/// Countries in English and by their own names, folded.
const COUNTRIES: &[&str] = &[
    "malaysia",
    "singapore",
    "germany",
    "deutschland",
    "france",
    "spain",
    "espana",
    "italy",
    "italia",
    "austria",
    "osterreich",
    "switzerland",
    "schweiz",
    "suisse",
    "netherlands",
    "nederland",
    "belgium",
    "belgique",
    "belgie",
    "poland",
    "polska",
    "portugal",
    "ireland",
    "england",
    "scotland",
    "wales",
    "uk",
    "usa",
    "canada",
    "australia",
    "india",
    "indonesia",
    "thailand",
    "philippines",
    "vietnam",
    "china",
    "japan",
    "korea",
    "brazil",
    "brasil",
    "mexico",
    "denmark",
    "sweden",
    "sverige",
    "norway",
    "norge",
    "finland",
    "luxembourg",
    "czechia",
    "hungary",
    "romania",
    "greece",
    "turkey",
    "israel",
    "kenya",
    "nigeria",
    "egypt",
];

/// First-level regions of large countries, folded.
const REGIONS: &[&str] = &[
    // Malaysia
    "johor",
    "kedah",
    "kelantan",
    "melaka",
    "malacca",
    "pahang",
    "perak",
    "perlis",
    "penang",
    "selangor",
    "terengganu",
    "sabah",
    "sarawak",
    "putrajaya",
    "labuan",
    // India
    "maharashtra",
    "karnataka",
    "kerala",
    "gujarat",
    "rajasthan",
    "punjab",
    "haryana",
    "telangana",
    "bihar",
    "odisha",
    "assam",
    "goa",
    // Australia, Canada
    "nsw",
    "queensland",
    "tasmania",
    "ontario",
    "quebec",
    "alberta",
    "manitoba",
    // Germany, Austria, Switzerland
    "bayern",
    "hessen",
    "sachsen",
    "berlin",
    "hamburg",
    "brandenburg",
    "tirol",
    "zurich",
    // United States
    "california",
    "texas",
    "florida",
    "ohio",
    "illinois",
    "georgia",
    "michigan",
    "virginia",
    "arizona",
    "massachusetts",
    "tennessee",
    "indiana",
    "missouri",
    "maryland",
    "wisconsin",
    "colorado",
    "minnesota",
    "alabama",
    "louisiana",
    "kentucky",
    "oregon",
    "oklahoma",
    "connecticut",
    "utah",
    "iowa",
    "nevada",
    "arkansas",
    "kansas",
    "nebraska",
    "idaho",
    "hawaii",
    "maine",
    "montana",
    "delaware",
    "vermont",
    "alaska",
    "pennsylvania",
    "washington",
];

/// Regions and cities of two words.
const REGION_PAIRS: &[(&str, &str)] = &[
    ("kuala", "lumpur"),
    ("negeri", "sembilan"),
    ("pulau", "pinang"),
    ("shah", "alam"),
    ("petaling", "jaya"),
    ("darul", "ehsan"),
    ("darul", "takzim"),
    ("united", "kingdom"),
    ("united", "states"),
    ("new", "york"),
    ("new", "jersey"),
    ("new", "mexico"),
    ("new", "zealand"),
    ("new", "south"),
    ("north", "carolina"),
    ("south", "carolina"),
    ("north", "dakota"),
    ("south", "dakota"),
    ("rhode", "island"),
    ("west", "virginia"),
    ("hong", "kong"),
    ("south", "africa"),
    ("tamil", "nadu"),
    ("west", "bengal"),
    ("uttar", "pradesh"),
    ("madhya", "pradesh"),
    ("andhra", "pradesh"),
    ("british", "columbia"),
    ("nova", "scotia"),
    ("new", "delhi"),
];

/// Single words on lines that are titles of documents.
const TITLES: &[&str] = &[
    "invoice",
    "receipt",
    "tax",
    "simplified",
    "cash",
    "bill",
    "sales",
    "official",
    "copy",
    "original",
    "welcome",
    "thank",
    "rechnung",
    "facture",
    "factura",
    "statement",
    "quotation",
    "order",
    "delivery",
    "table",
    "cashier",
    "description",
    "item",
    "qty",
    "price",
    "amount",
    "total",
    "counter",
    "member",
    "take",
    "away",
    "dine",
    "customer",
    "date",
    "page",
    "dear",
    "subject",
    "re",
    "from",
    "to",
    "tel",
    "fax",
    "ref",
    "pos",
    "trn",
    "doc",
    "document",
    "no",
];

pub(crate) fn is_street(word: &str) -> bool {
    NameWord::Street.has(word)
        || STREET_ENDS.iter().any(|end| word.len() > end.len() + 2 && word.ends_with(end))
}

/// Whether folded words include a region or country.
pub(crate) fn has_region(words: &[String]) -> bool {
    words.iter().any(|word| REGIONS.contains(&word.as_str()) || COUNTRIES.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if REGION_PAIRS.contains(&(a.as_str(), b.as_str()))))
}

/// Whether folded words include a word of titles and tables.
pub(crate) fn is_title(words: &[String]) -> bool {
    words.iter().any(|word| TITLES.contains(&word.as_str()))
}

/// Whether the last word of a line is a country.
pub(crate) fn ends_in_country(line: &str) -> bool {
    let last = line.split_whitespace().next_back().map(fold_word);
    last.is_some_and(|word| COUNTRIES.contains(&word.as_str()))
}
