//! Recorded answers: what a plain reading has right, and what the engine's record has.

use std::collections::BTreeMap;

use forms_core::{Support, UnsupportedPolicy};

use crate::cases;
use crate::faults::{Random, spoilt};

/// Rounds of injected faults.
const ROUNDS: usize = 40;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    answers: usize,
    leaves: usize,
    raw: usize,
    engine: usize,
    broken: usize,
    printed: usize,
    shown: usize,
}

impl Count {
    fn add(&mut self, case: &cases::Case) {
        self.answers += 1;
        let extraction = case.extract(UnsupportedPolicy::Keep);
        for leaf in cases::score(&case.form, &case.answer, extraction.as_ref(), &case.truth) {
            self.leaves += 1;
            self.raw += usize::from(leaf.raw);
            self.engine += usize::from(leaf.engine);
            self.broken += usize::from(leaf.raw && !leaf.engine);
            if let Some(support) = leaf.support.filter(|_| leaf.engine) {
                self.printed += 1;
                self.shown += usize::from(matches!(support, Support::Exact | Support::Normalised));
            }
        }
    }

    fn print(&self, name: &str) {
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        println!(
            "  {name:<20}{:>8}{:>8}{:>9.1}%{:>9.1}%{:>13}{:>10.1}%",
            self.answers,
            self.leaves,
            share(self.raw, self.leaves),
            share(self.engine, self.leaves),
            self.broken,
            share(self.shown, self.printed)
        );
    }
}

/// Prints the table.
pub(crate) fn measure() {
    println!("\nrecorded answers, leaf by leaf");
    println!(
        "  {:<20}{:>8}{:>8}{:>10}{:>10}{:>13}{:>11}",
        "", "answers", "leaves", "as said", "engine", "turned wrong", "evidence"
    );
    let cases = cases::all();
    let mut themes: BTreeMap<&str, Count> = BTreeMap::new();
    let mut random = Random::new(1);
    let (mut all, mut injected) = (Count::default(), Count::default());
    for case in &cases {
        themes.entry(case.theme).or_default().add(case);
        all.add(case);
        for _ in 0..ROUNDS {
            let answer = spoilt(&case.truth, &case.form, &mut random);
            injected.add(&cases::Case { answer, again: None, ..case.clone() });
        }
    }
    themes.iter().for_each(|(theme, count)| count.print(theme));
    all.print("all");
    injected.print("faults at random");
}
