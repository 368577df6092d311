//! Phrases with the fields they describe, and how well a schema has them.
//!
//! Fields are written `name:type`, parted by semicolons: `!` after the type means required, `?` that
//! it may stay empty; `(a|b)` are options; `name{…}` is an object, `name[]{…}` a list of objects,
//! `name[]type` a list of values; `one/other:type` takes either name.

use serde_json::Value;

/// A phrase and the fields it describes.
pub(crate) struct Case {
    pub(crate) phrase: &'static str,
    pub(crate) fields: &'static str,
}

/// A field at a path such as `items/price`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) names: Vec<String>,
    pub(crate) kind: String,
    pub(crate) options: Vec<String>,
    pub(crate) required: bool,
}

/// Counts over many phrases.
#[derive(Debug, Default)]
pub(crate) struct Score {
    expected: usize,
    found: usize,
    named: usize,
    typed: usize,
    with_options: usize,
    right_options: usize,
    right_marks: usize,
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole).unwrap())
    }
}

impl Score {
    /// F1 of the names, nested ones included.
    pub(crate) fn name_f1(&self) -> f64 {
        let (precision, recall) = (share(self.named, self.found), share(self.named, self.expected));
        if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
    }

    /// Of the fields with the right name, those of the right type.
    pub(crate) fn type_accuracy(&self) -> f64 {
        share(self.typed, self.named)
    }

    /// Of the rightly named fields with options, expected or given, those with all of them and no other.
    pub(crate) fn option_accuracy(&self) -> f64 {
        share(self.right_options, self.with_options)
    }

    /// Of the rightly named fields, those that are rightly required or not.
    pub(crate) fn mark_accuracy(&self) -> f64 {
        share(self.right_marks, self.named)
    }

    pub(crate) fn report(&self, set: &str, phrases: usize) -> String {
        format!(
            "{set}: {phrases} phrases, {} fields; name F1 {:.4}, types {:.4}, options {:.4}, required {:.4}",
            self.expected,
            self.name_f1(),
            self.type_accuracy(),
            self.option_accuracy(),
            self.mark_accuracy()
        )
    }

    /// Adds one schema; what is wrong with it is returned.
    pub(crate) fn add(&mut self, case: &Case, schema: &Value) -> Vec<String> {
        let mut expected = Vec::new();
        parse(case.fields, &[String::new()], &mut expected);
        let mut found = Vec::new();
        leaves(schema, "", &mut found);
        self.expected += expected.len();
        self.found += found.len();
        let mut wrong = Vec::new();
        for leaf in &expected {
            let Some(at) = found.iter().position(|given| leaf.names.contains(&given.names[0])) else {
                wrong.push(format!("missing {}", leaf.names.join(" or ")));
                continue;
            };
            let given = found.remove(at);
            self.named += 1;
            self.typed += usize::from(given.kind == leaf.kind);
            self.right_marks += usize::from(given.required == leaf.required);
            if !leaf.options.is_empty() || !given.options.is_empty() {
                self.with_options += 1;
                self.right_options += usize::from(given.options == leaf.options);
            }
            if (&given.kind, &given.options, given.required) != (&leaf.kind, &leaf.options, leaf.required) {
                wrong.push(format!(
                    "{} is {} {:?} {}, not {} {:?} {}",
                    given.names[0],
                    given.kind,
                    given.options,
                    given.required,
                    leaf.kind,
                    leaf.options,
                    leaf.required
                ));
            }
        }
        wrong.extend(
            found
                .iter()
                .map(|given| format!("surplus {} {} {:?}", given.names[0], given.kind, given.options)),
        );
        wrong
    }
}

/// The leaves and nodes of a schema.
fn leaves(fields: &Value, above: &str, out: &mut Vec<Leaf>) {
    for (name, field) in fields.as_object().unwrap() {
        let many = field["type"] == "array";
        let item = if many { &field["items"] } else { field };
        let kind = item["type"].as_str().unwrap();
        let options =
            item["enum"].as_array().into_iter().flatten().map(|option| option.as_str().unwrap().to_owned());
        let path = format!("{above}{name}");
        out.push(Leaf {
            names: vec![path.clone()],
            kind: format!("{}{kind}", if many { "[]" } else { "" }),
            options: options.collect(),
            required: field["required"] == true,
        });
        if kind == "object" {
            leaves(&item["properties"], &format!("{path}/"), out);
        }
    }
}

/// Reads the notation.
fn parse(text: &str, above: &[String], out: &mut Vec<Leaf>) {
    for part in split(text) {
        let part = part.trim();
        let (body, marks) =
            (part.trim_end_matches(['!', '?']), &part[part.trim_end_matches(['!', '?']).len()..]);
        let end = body.find([':', '{', '[']).unwrap_or(body.len());
        let (names, rest) = body.split_at(end);
        let names: Vec<String> =
            names.split('/').flat_map(|name| above.iter().map(move |path| format!("{path}{name}"))).collect();
        let (list, rest) = rest.strip_prefix("[]").map_or(("", rest), |rest| ("[]", rest));
        let (rest, options) = match rest.split_once('(') {
            Some((rest, options)) if !rest.contains('{') => {
                (rest, options.trim_end_matches(')').split('|').map(str::to_owned).collect())
            }
            _ => (rest, Vec::new()),
        };
        let below = rest.strip_prefix('{').map(|parts| parts.strip_suffix('}').unwrap());
        let kind = if below.is_some() { "object" } else { rest.trim_start_matches(':') };
        let required = marks.contains('!') || rest.ends_with('!');
        out.push(Leaf {
            names: names.clone(),
            kind: format!("{list}{}", kind.trim_end_matches(['!', '?'])),
            options,
            required,
        });
        if let Some(parts) = below {
            let paths: Vec<String> = names.iter().map(|name| format!("{name}/")).collect();
            parse(parts, &paths, out);
        }
    }
}

/// Cuts at semicolons outside braces.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
