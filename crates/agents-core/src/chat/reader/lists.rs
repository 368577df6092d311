//! Lists: "add milk", "also eggs", "remove the second", "replace apples with plums", "apples, pears and plums".

use std::collections::HashSet;
use std::ops::Range;

use forms_core::{Field, FieldType};
use serde_json::{Map, Value, json};

use super::acts::{Acted, named};
use super::bare::stripped;
use super::clauses::Mode;
use super::entries::{MAX_ITEMS, entries};
use super::numbers;
use super::pairs;
use super::profile::{Profile, Sense, escaped, pointer};
use super::rows;
use super::scene::{Claim, Scene};
use super::text::{root, words_of};
use crate::chat::{Act, Change, Statement};

/// Lists that are looked through for the one that is meant.
const MAX_LISTS: usize = 10;

/// What the message does to lists, and whether that is all it says.
pub(super) fn statements(scene: &Scene<'_>, acts: &[Acted], settled: &[Claim]) -> (Vec<Statement>, bool) {
    let Some((index, list)) = meant(scene).or_else(|| offering(scene, settled)) else {
        return (Vec::new(), false);
    };
    let FieldType::Array(item) = &list.field.kind else { return (Vec::new(), false) };
    let mut found = Vec::new();
    let mut rest = false;
    for sentence in &scene.sentences {
        if sentence.mode == Mode::Question {
            continue;
        }
        let denied = acts.iter().any(|acted| {
            acted.said.act == Act::NotApplicable
                && acted.said.path.as_deref() == Some(list.path.as_str())
                && sentence.words.contains(&acted.words.start)
        });
        if denied {
            continue;
        }
        if !pairs::pairs(scene, &sentence.words).is_empty()
            || is_elsewhere(scene, index, list, &sentence.words)
        {
            rest = true;
            continue;
        }
        let acted = |words: &Range<usize>| {
            acts.iter().any(|acted| {
                acted.is_whole
                    && acted.words.start <= words.start
                    && words.end <= acted.words.end.max(words.start)
            })
        };
        if acted(&sentence.words)
            || acts.iter().any(|acted| {
                acted.is_whole
                    && acted.words.start == sentence.words.start
                    && acted.said.act != Act::Yes
                    && acted.said.act != Act::No
                    && acted.said.act != Act::Courtesy
            })
        {
            continue;
        }
        let parts = commands(scene, &sentence.words);
        if let Some(changed) = row_changes(scene, list, item, &sentence.words) {
            found.extend(changed);
            continue;
        }
        if let [first, .., last] = parts.as_slice()
            && let (Some(one), Some(other)) =
                (command(scene, list, item, first), command(scene, list, item, last))
        {
            found.extend(one);
            found.extend(other);
            continue;
        }
        match command(scene, list, item, &sentence.words)
            .or_else(|| told_of(scene, list, item, &sentence.words))
        {
            Some(statements) => found.extend(statements),
            None if list.is_asked
                && sentence.mode == Mode::Statement
                && !refuses_more(scene, acts, &sentence.words)
                && !is_of_others(scene, item, settled, &sentence.words) =>
            {
                found.extend(bare(scene, index, list, item, sentence))
            }
            None => match offered(scene, list, item, settled, sentence) {
                Some(statement) => found.push(statement),
                None => rest = true,
            },
        }
    }
    // "Milk. Bread. Eggs": each sentence after the first goes on with the list.
    let mut given = false;
    for statement in found.iter_mut().filter(|statement| statement.path == list.path) {
        if statement.change == Change::Set && std::mem::replace(&mut given, true) {
            statement.change = Change::Add;
        }
    }
    let done = !found.is_empty() && !rest;
    (found, done)
}

/// "No, on site" where more was asked for: what follows the no is no further item.
fn refuses_more(scene: &Scene<'_>, acts: &[Acted], words: &Range<usize>) -> bool {
    let more = scene.heard.asked.is_some_and(|asked| asked.ends_with("/-"));
    more && acts.iter().any(|acted| {
        matches!(acted.said.act, Act::No | Act::Finish) && acted.is_whole && acted.words.start == words.start
    })
}

/// Whether some words speak of an item that is there.
fn has_item(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> bool {
    let roots: HashSet<String> = items(scene, list)
        .iter()
        .take(MAX_ITEMS)
        .flat_map(|item| words_of(&text_of(item)))
        .map(|word| root(&word))
        .collect();
    words
        .clone()
        .filter(|at| !["common", "break", "pronoun"].iter().any(|list| scene.is(list, *at)))
        .any(|at| scene.text.plain(at).len() > 2 && roots.contains(scene.text.root(at)))
}

/// The words of an item.
fn text_of(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        Value::Object(parts) => parts.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Whether a sentence speaks of other fields, and not of the list that was last spoken of.
fn is_elsewhere(scene: &Scene<'_>, index: usize, list: &Profile<'_>, words: &Range<usize>) -> bool {
    let names = |index: usize, places: &Vec<usize>| {
        let Some(other) = scene.profiles.get(index) else { return false };
        let is_row = other.path.starts_with(&list.path);
        let is_named = |at: usize| {
            other.name.iter().any(|word| root(word) == scene.text.root(at))
                && !["break", "weak"].iter().any(|list| scene.is(list, at))
        };
        !is_row && places.iter().any(|place| words.contains(place) && is_named(*place))
    };
    let named = scene.own.get(index).is_some_and(|places| places.iter().any(|place| words.contains(place)));
    !list.is_asked
        && !named
        && !has_item(scene, list, words)
        && scene.own.iter().enumerate().any(|(other, places)| other != index && names(other, places))
}

/// Whether what a sentence says was taken by other fields: by name, or all of it by its shape.
fn is_of_others(scene: &Scene<'_>, item: &Field, settled: &[Claim], words: &Range<usize>) -> bool {
    let of_item = |sense: Sense| match item.kind {
        FieldType::Date => sense == Sense::Date,
        FieldType::Email => sense == Sense::Email,
        FieldType::Url => sense == Sense::Url,
        FieldType::Object(_) => !matches!(sense, Sense::Email | Sense::Phone | Sense::Url),
        _ => false,
    };
    let first = words.clone().find(|at| scene.list("filler", *at) == 0).unwrap_or(words.start);
    let changes = scene.is("change", first)
        && words
            .clone()
            .any(|at| matches!(scene.text.plain(at), "to" | "into" | "auf" | "in" | "en" | "a" | "por"));
    changes
        || settled.iter().filter(|claim| words.contains(&claim.words.start)).any(|claim| {
            let Some(profile) = scene.profiles.get(claim.profile) else { return false };
            let shaped = matches!(
                profile.sense,
                Sense::Email | Sense::Phone | Sense::Url | Sense::Date | Sense::Time | Sense::Money
            );
            let all = stripped(scene, words).all(|at| claim.words.contains(&at) || scene.is("break", at));
            let is_said = scene.nearness(claim.profile, &claim.words) >= 3
                || profile.sense == Sense::Flag
                || scene.corrects(claim.words.start);
            !of_item(profile.sense) && (shaped && all || claim.is_meant && is_said)
        })
}

/// The list that the message can be about: asked for, named, changed last, or the only one.
fn meant<'s, 'a>(scene: &'s Scene<'a>) -> Option<(usize, &'s Profile<'a>)> {
    let lists: Vec<_> = scene.of_sense(&[Sense::List]).collect();
    let named =
        |(index, _): &&(usize, &Profile<'a>)| scene.own.get(*index).is_some_and(|places| !places.is_empty());
    let asked = lists.iter().find(|(_, profile)| profile.is_asked);
    let recent = lists
        .iter()
        .filter(|(_, profile)| !profile.is_open)
        .max_by_key(|(_, profile)| profile.recency.map_or(0, |n| 100 - n));
    let only = (lists.len() == 1).then(|| lists.first()).flatten();
    let best = lists.iter().find(named).filter(|_| asked.is_none()).or(asked).or(recent).or(only).copied()?;
    // "No hawaii" is of the list that has one.
    let all = 0..scene.text.len();
    let other = || lists.iter().find(|(_, list)| has_item(scene, list, &all)).copied();
    let commands = (0..scene.text.len()).any(|at| {
        ["remove", "change", "replace", "set"].iter().any(|name| scene.list(name, at) > 0)
            || scene.is("negation", at)
    });
    if commands && !has_item(scene, best.1, &all) { other().or(Some(best)) } else { Some(best) }
}

/// The list whose rows the message tells, of several.
fn offering<'s, 'a>(scene: &'s Scene<'a>, settled: &[Claim]) -> Option<(usize, &'s Profile<'a>)> {
    let offers = |list: &Profile<'a>| match &list.field.kind {
        FieldType::Array(item) => {
            scene.sentences.iter().any(|sentence| offered(scene, list, item, settled, sentence).is_some())
        }
        _ => false,
    };
    scene.of_sense(&[Sense::List]).take(MAX_LISTS).find(|(_, list)| offers(list))
}

/// The current items.
fn items<'s>(scene: &'s Scene<'_>, list: &Profile<'_>) -> &'s [Value] {
    pointer(&scene.heard, &list.path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// "Add milk and remove the eggs": the words of each command.
fn commands(scene: &Scene<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let verbs = |at: usize| {
        ["add", "remove", "replace", "change"].iter().any(|name| scene.list(name, at) > 0)
            && !matches!(scene.text.plain(at), "also" | "plus" | "without" | "no")
    };
    let cut = (words.start + 1..words.end).find(|at| {
        verbs(*at) && matches!(scene.text.plain(at - 1), "and" | "und" | "et" | "y" | "then" | "but")
    });
    match cut {
        Some(at) => vec![words.start..at - 1, at..words.end],
        None => vec![words.clone()],
    }
}

/// "The second is plums", "apples was a mistake": what is said of an item that is there.
fn told_of(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<Statement>> {
    if items(scene, list).is_empty() || matches!(item.kind, FieldType::Object(_)) {
        return None;
    }
    let is = words
        .clone()
        .skip(1)
        .find(|at| matches!(scene.text.plain(*at), "is" | "was" | "ist" | "war" | "est" | "es"))?;
    let place = place(scene, list, &(words.start..is))?;
    let path = format!("{}/{place}", list.path);
    let wrong = (is..words.end).any(|at| {
        matches!(
            scene.text.plain(at),
            "mistake" | "wrong" | "incorrect" | "falsch" | "fehler" | "faux" | "erreur" | "error"
        )
    });
    let (change, value) = match wrong {
        true => (Change::Remove, Value::Null),
        false => (Change::Set, entries(scene, item, &(is + 1..words.end)).into_iter().next()?),
    };
    Some(vec![Statement { path, change, value, is_meant: true }])
}

/// A sentence that adds, removes, replaces, or changes items.
fn command(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<Statement>> {
    let mut at = words.start;
    while at < words.end
        && ["add", "remove", "replace", "change"].iter().all(|name| scene.list(name, at) == 0)
    {
        let skipped = ["filler", "request", "yes", "no", "courtesy", "lead", "correction"]
            .iter()
            .map(|name| scene.list(name, at))
            .max()
            .unwrap_or(0);
        let first = at == words.start || scene.text.before(at).contains(',');
        let no = scene.is("no", at) && scene.text.gap(at) == " " && first;
        if skipped == 0 || no {
            break;
        }
        at += skipped;
    }
    let has_items = !items(scene, list).is_empty();
    if let length @ 1.. = scene.list("replace", at) {
        return replaced(scene, list, item, at + length..words.end);
    }
    if let length @ 1.. = scene.list("change", at) {
        return changed(scene, list, item, at + length..words.end);
    }
    let no = usize::from(
        scene.is("no", at) || matches!(scene.text.plain(at), "not" | "without" | "keine" | "kein" | "pas"),
    );
    let told = scene.list("remove", at);
    let remove = told.max(if has_items { no } else { 0 });
    if remove > 0 {
        let rest = at + remove..words.end;
        let found = removed(scene, list, rest.clone());
        let unknown = || unknown_item(scene, list, rest).filter(|_| told > 0 && has_items);
        return found.or_else(unknown).map(|statement| vec![statement]);
    }
    let add = scene.list("add", at);
    let certain = list.is_asked || has_items || scene.text.plain(at) == "add";
    if add > 0 && certain {
        let rest = without_list(scene, list, at + add..words.end);
        let added = entries(scene, item, &rest);
        return (!added.is_empty()).then(|| vec![statement(list, Change::Add, added)]);
    }
    None
}

/// "Make the shirts blue", "the caps should be 4", "Dan is 13, not 12": what is said of a row that is there.
fn row_changes(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<Statement>> {
    let FieldType::Object(parts) = &item.kind else { return None };
    let (at, place) =
        words.clone().filter(|at| !scene.is("common", *at) && !scene.is("break", *at)).find_map(|at| {
            let found = items(scene, list)
                .iter()
                .take(MAX_ITEMS)
                .position(|row| rows::is_named(scene, parts, row, at));
            Some((at, found?))
        })?;
    let other = ["remove", "replace", "add"]
        .iter()
        .any(|name| scene.lexicon.list(name).within(&scene.text, words.start..at).is_some());
    let tells = words.clone().any(|at| {
        scene.is("change", at)
            || scene.is("set", at)
            || scene.is("auxiliary", at)
            || matches!(
                scene.text.plain(at),
                "be" | "ist" | "sind" | "sollen" | "est" | "sont" | "es" | "son" | "mach" | "mettez" | "haz"
            )
    });
    // What the name of the item says is not said of it.
    let rest = if at + 1 < words.end { at + 1..words.end } else { words.start..at };
    let end = rest.clone().find(|at| {
        matches!(scene.text.plain(*at), "not" | "nicht" | "pas") || scene.list("instead of", *at) > 0
    });
    let told = rows::changes(scene, parts, &(rest.start..end.unwrap_or(rest.end)));
    if other || !tells || told.is_empty() {
        return None;
    }
    let set = |(name, value): (String, Value)| Statement {
        path: format!("{}/{place}/{}", list.path, escaped(&name)),
        change: Change::Set,
        value,
        is_meant: true,
    };
    Some(told.into_iter().map(set).collect())
}

/// "2 large margheritas" before the list was asked for, "and 3 blue caps" while a row is: rows that tell themselves by a
/// choice.
fn offered(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    settled: &[Claim],
    sentence: &super::clauses::Sentence,
) -> Option<Statement> {
    let FieldType::Object(parts) = &item.kind else { return None };
    let asks = matches!(sentence.mode, Mode::Question | Mode::Existence);
    let inside = format!("{}/", list.path);
    let claimed = settled.iter().any(|claim| {
        let of_row =
            scene.profiles.get(claim.profile).is_some_and(|profile| profile.path.starts_with(&inside));
        !of_row && sentence.words.contains(&claim.words.start)
    });
    let first = scene.text.plain(sentence.words.start);
    let goes_on = scene.heard.asked.is_some_and(|asked| asked.starts_with(&inside))
        && (matches!(first, "and" | "und" | "et" | "y") || scene.list("add", sentence.words.start) > 0);
    if !(list.is_open || goes_on) || asks || claimed {
        return None;
    }
    let values = entries(scene, item, &stripped(scene, &sentence.words));
    // "And a salami" while another row is asked for.
    let begins = |row: &Map<String, Value>| {
        let main = rows::main_part(scene, parts);
        goes_on
            && main.is_some_and(|field| {
                row.contains_key(&field.name) && (!field.options.is_empty() || row.len() > 1)
            })
    };
    let telling = |value: &Value| {
        value.as_object().is_some_and(|row| rows::is_telling(scene, parts, row) || begins(row))
    };
    let change = if list.is_open { Change::Set } else { Change::Add };
    (!values.is_empty() && values.iter().all(telling)).then(|| statement(list, change, values))
}

fn statement(list: &Profile<'_>, change: Change, mut values: Vec<Value>) -> Statement {
    values.truncate(MAX_ITEMS);
    Statement { path: list.path.clone(), change, value: Value::Array(values), is_meant: true }
}

/// Words without "to the list" at their end.
fn without_list(scene: &Scene<'_>, list: &Profile<'_>, words: Range<usize>) -> Range<usize> {
    let is_list = |at: usize| {
        matches!(scene.text.plain(at), "list" | "order" | "liste" | "lista" | "items")
            || list.name.iter().any(|name| name == scene.text.plain(at))
    };
    let end = words.clone().find(|at| {
        matches!(scene.text.plain(*at), "to" | "zu" | "zur" | "a" | "auf" | "on" | "from")
            && (at + 1..words.end.min(at + 4)).any(is_list)
    });
    words.start..end.unwrap_or(words.end)
}

/// "the second", "apples", "everything": what is taken away.
fn removed(scene: &Scene<'_>, list: &Profile<'_>, words: Range<usize>) -> Option<Statement> {
    let rest = without_list(scene, list, words);
    let is_whole = rest.clone().any(|at| {
        scene.list("whole list", at) > 0 && !matches!(scene.text.plain(at.wrapping_sub(1)), "after" | "at")
    });
    if is_whole {
        return Some(Statement {
            path: list.path.clone(),
            change: Change::Remove,
            value: Value::Null,
            is_meant: true,
        });
    }
    let place = place(scene, list, &rest)?;
    Some(Statement {
        path: format!("{}/{place}", list.path),
        change: Change::Remove,
        value: Value::Null,
        is_meant: true,
    })
}

/// An item that is to be taken away and is not there, in the words of the message.
fn unknown_item(scene: &Scene<'_>, list: &Profile<'_>, words: Range<usize>) -> Option<Statement> {
    let rest = without_list(scene, list, words);
    let said = scene.text.slice(&stripped(scene, &rest));
    (!said.is_empty()).then(|| statement(list, Change::Remove, vec![json!(said)]))
}

/// The item that some words name: by its place, or by its words.
fn place(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> Option<usize> {
    let current = items(scene, list);
    let article = usize::from(matches!(
        scene.text.plain(words.start),
        "the"
            | "my"
            | "item"
            | "number"
            | "die"
            | "den"
            | "das"
            | "le"
            | "la"
            | "el"
            | "der"
            | "les"
            | "las"
            | "los"
    ));
    if let Some((_, place)) = numbers::ordinal(&scene.text, words.start + article, current.len()) {
        return Some(place);
    }
    let numbered = scene
        .text
        .digits(words.start + article)
        .filter(|_| matches!(scene.text.plain(words.start + article - article), "item" | "number"));
    if let Some(n) = numbered {
        return usize::try_from(n).ok()?.checked_sub(1).filter(|place| *place < current.len());
    }
    item_named(scene, list, words)
}

/// The item that some words name by its own words.
fn item_named(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> Option<usize> {
    let said: Vec<&str> = words.clone().map(|at| scene.text.root(at)).collect();
    items(scene, list).iter().position(|value| {
        let roots: Vec<String> = words_of(&text_of(value)).iter().map(|word| root(word)).collect();
        !roots.is_empty()
            && (roots.iter().all(|word| said.contains(&word.as_str()))
                || said.iter().filter(|word| word.len() > 2).any(|word| roots.contains(&(*word).to_owned())))
    })
}

/// "apples with plums"
fn replaced(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    words: Range<usize>,
) -> Option<Vec<Statement>> {
    let with = words.clone().skip(1).find(|at| scene.is("replace with", *at))?;
    let place = place(scene, list, &(words.start..with))?;
    let value = entries(scene, item, &(with + 1..words.end)).into_iter().next()?;
    Some(vec![Statement {
        path: format!("{}/{place}", list.path),
        change: Change::Set,
        value,
        is_meant: true,
    }])
}

/// "the price of the first to 5", "the second to plums", "apples to plums"
fn changed(
    scene: &Scene<'_>,
    list: &Profile<'_>,
    item: &Field,
    words: Range<usize>,
) -> Option<Vec<Statement>> {
    let to = words.clone().skip(1).rev().find(|at| {
        matches!(scene.text.plain(*at), "to" | "into" | "auf" | "zu" | "en" | "a" | "in" | "por")
    })?;
    let before = words.start..to;
    let path = |place: usize, part: &str| format!("{}/{place}{part}", list.path);
    if let FieldType::Object(parts) = &item.kind {
        let part = parts.iter().find(|part| {
            words_of(&part.name)
                .iter()
                .any(|name| before.clone().any(|at| scene.lexicon.alike(scene.text.root(at), &root(name))))
        })?;
        let place = before.clone().find_map(|at| place(scene, list, &(at..to)))?;
        let value = rows::part_value(scene, part, &(to + 1..words.end))?;
        return Some(vec![Statement {
            path: path(place, &format!("/{}", escaped(&part.name))),
            change: Change::Set,
            value,
            is_meant: true,
        }]);
    }
    let values = entries(scene, item, &(to + 1..words.end));
    let Some(place) = place(scene, list, &before) else {
        // "Change the list to apples and pears".
        let names_list = before.clone().any(|at| list.name.iter().any(|name| name == scene.text.plain(at)));
        return (names_list && !values.is_empty()).then(|| vec![statement(list, Change::Set, values)]);
    };
    let value = values.into_iter().next()?;
    Some(vec![Statement { path: path(place, ""), change: Change::Set, value, is_meant: true }])
}

/// The entries of a sentence that answers the question for the list.
fn bare(
    scene: &Scene<'_>,
    index: usize,
    list: &Profile<'_>,
    item: &Field,
    sentence: &super::clauses::Sentence,
) -> Vec<Statement> {
    let words = stripped(scene, &sentence.words);
    let about_other = scene.own.iter().enumerate().any(|(other, places)| {
        other != index
            && places.iter().any(|place| {
                words.contains(place)
                    && matches!(scene.text.plain(place + 1), "is" | "to" | "ist" | "est" | "es")
            })
    });
    // "Not red", "all except red": what is left out is no item, and what is left in is not said.
    let first = scene.text.plain(sentence.words.start);
    let excepts = sentence.words.clone().any(|at| {
        let word = scene.text.plain(at);
        matches!(word, "except" | "ausser" | "sauf" | "salvo" | "excepto")
            || word == "but"
                && matches!(scene.text.plain(at.wrapping_sub(1)), "all" | "everything" | "anything")
    });
    let refused = matches!(first, "not" | "without" | "nicht" | "pas") || excepts;
    let values = if refused { Vec::new() } else { entries(scene, item, &words) };
    if values.is_empty() || about_other {
        return Vec::new();
    }
    let more = scene.heard.asked.is_some_and(|asked| asked.ends_with("/-")) || !items(scene, list).is_empty();
    vec![statement(list, if more { Change::Add } else { Change::Set }, values)]
}

/// "remove my phone number": a value that is taken back.
pub(super) fn cleared(scene: &Scene<'_>, settled: &[Claim]) -> Option<Statement> {
    let sentence =
        scene.sentences.iter().find(|sentence| matches!(sentence.mode, Mode::Statement | Mode::Request))?;
    let verb = sentence.words.clone().take(6).find(|at| {
        scene.list("remove", *at) > 0 && !matches!(scene.text.plain(*at), "without" | "no" | "drop" | "leave")
    })?;
    let before = (sentence.words.start..verb).all(|at| {
        ["lead", "filler", "request", "common", "pronoun", "break", "courtesy"]
            .iter()
            .any(|list| scene.is(list, at))
    });
    let path = named(scene, &(verb + 1..sentence.words.end))?;
    let filled = pointer(&scene.heard, &path).is_some();
    let claimed = settled.iter().any(|claim| sentence.words.contains(&claim.words.start));
    (before && filled && !claimed).then_some(Statement {
        path,
        change: Change::Remove,
        value: Value::Null,
        is_meant: true,
    })
}
