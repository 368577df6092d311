//! PDFs of full pages with facts anywhere on them: what is asked about, and the pages where it stands.

/// Lines of a page.
const LINES: usize = 46;
/// Pages of a document.
const PAGES: usize = 12;

/// Something that stands on one page, or goes on to the next.
pub(super) struct Fact {
    pub(super) question: String,
    /// What an answer must hold.
    pub(super) value: String,
    pub(super) pages: Vec<u64>,
}

/// A document of twelve full pages, and what stands in it.
pub(super) fn document(seed: u64) -> (Vec<u8>, Vec<Fact>) {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut pages: Vec<Vec<String>> = Vec::new();
    let mut facts = Vec::new();
    let mut carried: Option<String> = None;
    for page in 1..=PAGES {
        let mut lines: Vec<String> = carried.take().into_iter().collect();
        if !lines.is_empty() {
            lines.extend([filler(&mut chance), String::new()]);
        }
        let mut wanted: Vec<usize> = (0..3).collect();
        while lines.len() < LINES - 1 {
            let room = LINES - 1 - lines.len();
            if !wanted.is_empty() && (chance.below(4) == 0 || room < 8 * wanted.len() + 4) {
                let at = chance.below(wanted.len());
                stated(wanted.remove(at), &mut chance, page as u64, &mut lines, &mut facts);
                continue;
            }
            let length = (2 + chance.below(4)).min(room);
            lines.extend((0..length).map(|_| filler(&mut chance)));
            lines.push(String::new());
        }
        lines.truncate(LINES - 1);
        if page < PAGES {
            let (name, year) = (name(&mut chance), 1500 + chance.below(400));
            lines.push(format!(
                "The lighthouse {name} was raised above the old harbour by its guild in the year"
            ));
            carried =
                Some(format!("{year} and has been kept by the same family of wardens since then, in turn."));
            facts.push(Fact {
                question: format!("In which year was the lighthouse {name} raised?"),
                // The parser does not join a sentence over the break: its beginning is what is cited.
                value: name,
                pages: vec![page as u64],
            });
        }
        pages.push(lines);
    }
    (pdf(&pages), facts)
}

/// A fact as a sentence, as a row of a table, or as an item of a list.
fn stated(kind: usize, chance: &mut Chance, page: u64, lines: &mut Vec<String>, facts: &mut Vec<Fact>) {
    let name = name(chance);
    let (question, value) = match kind {
        0 => {
            let load = 1_000 + chance.below(8_000);
            lines.extend([
                filler(chance),
                format!("The crane {name} lifts {load} kilograms. {}", filler(chance)),
            ]);
            (format!("How many kilograms does the crane {name} lift?"), load.to_string())
        }
        1 => {
            lines.push("Depot\tPlaces\tKeeper".to_owned());
            let at = chance.below(4);
            let mut value = String::new();
            for row in 0..4 {
                let depot = if row == at { name.clone() } else { self::name(chance) };
                let (places, keeper) = (10 + chance.below(900), self::name(chance));
                if row == at {
                    value.clone_from(&keeper);
                }
                lines.push(format!("{depot}\t{places}\t{keeper}"));
            }
            (format!("Who is the keeper of the depot {name}?"), value)
        }
        _ => {
            let mut value = String::new();
            let at = chance.below(3);
            for item in 0..3 {
                let store = if item == at { name.clone() } else { self::name(chance) };
                let time = format!("{}:{:02}", 5 + chance.below(6), 10 + chance.below(50));
                lines.push(format!("- The store {store} opens at {time} on weekdays."));
                if item == at {
                    value = time;
                }
            }
            (format!("At what time does the store {name} open on weekdays?"), value)
        }
    };
    lines.push(String::new());
    facts.push(Fact { question, value, pages: vec![page] });
}

/// Numbers by xorshift.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % end as u64).unwrap()
    }
}

fn name(chance: &mut Chance) -> String {
    const BEGIN: [&str; 16] = [
        "Bre", "Tor", "Mal", "Ves", "Qui", "Os", "Har", "Lun", "Pel", "Dra", "Fen", "Gor", "Jas", "Kel",
        "Nor", "Zim",
    ];
    const MIDDLE: [&str; 12] = ["la", "vi", "no", "ra", "me", "du", "ti", "so", "be", "ga", "ri", "lo"];
    const END: [&str; 12] = ["ck", "nd", "rn", "sk", "lt", "mb", "st", "ft", "x", "rth", "nk", "v"];
    format!("{}{}{}", BEGIN[chance.below(16)], MIDDLE[chance.below(12)], END[chance.below(12)])
}

/// A line of running text.
fn filler(chance: &mut Chance) -> String {
    const WORDS: [&str; 40] = [
        "barges",
        "grain",
        "quiet",
        "morning",
        "sailors",
        "ropes",
        "under",
        "bridges",
        "slowly",
        "market",
        "winter",
        "carried",
        "timber",
        "before",
        "evening",
        "warehouses",
        "along",
        "river",
        "painted",
        "often",
        "masters",
        "between",
        "narrow",
        "streets",
        "counted",
        "barrels",
        "with",
        "patient",
        "clerks",
        "toward",
        "southern",
        "hills",
        "traders",
        "spoke",
        "about",
        "weather",
        "distant",
        "coasts",
        "and",
        "songs",
    ];
    let mut line = String::new();
    while line.len() < 78 {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(WORDS[chance.below(40)]);
    }
    let first = line.remove(0).to_ascii_uppercase();
    format!("{first}{line}.")
}

/// Pages of lines in Helvetica; tabs part columns.
fn pdf(pages: &[Vec<String>]) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut kids = String::new();
    for lines in pages {
        let mut content = String::new();
        for (row, line) in lines.iter().enumerate() {
            for (column, text) in line.split('\t').enumerate() {
                let (x, y) = (72 + 160 * column, 730 - 14 * row);
                content.push_str(&format!("BT /F 10 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n"));
            }
        }
        objects.push(format!("<</Length {}>>\nstream\n{content}endstream", content.len()));
        let stream = objects.len();
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents {stream} 0 R>>"
        ));
        kids.push_str(&format!("{} 0 R ", objects.len()));
    }
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len());
    let (mut file, mut offsets) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    offsets.iter().for_each(|offset| file.push_str(&format!("{offset:010} 00000 n \n")));
    file.push_str(&format!(
        "trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}
