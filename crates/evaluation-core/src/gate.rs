//! Whether a version of a form may be put in force: an evaluation of it must pass.

use delta_core::{Run, RunId, RunState};
use forms_core::{Form, FormGate};
use shared_core::{PageRequest, Position, Scope, Violation};

use crate::score::Comparison;
use crate::{EvaluationError, EvaluationService};

/// Evaluations of a set that are searched for one of the version in force. Bounds the time. Chosen by hand; no
/// measurement is recorded.
const MAX_SEARCHED: u32 = 1_000;

/// What an evaluation of a version must fulfil.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicationGate {
    /// The evaluation of the version.
    pub evaluation: RunId,
    /// The evaluation that it must not be worse than; when `None`, the newest one of the version in force over the same
    /// set and with the same model.
    pub base: Option<RunId>,
    /// Least share of right values, 0 to 1.
    pub minimum: Option<f64>,
    /// Fields that the version may drop, by JSON pointers without indexes of lists.
    pub may_drop: Vec<String>,
}

/// What a caller demands of a version that is to be put in force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateRequest {
    /// As [`PublicationGate::evaluation`]; nothing is demanded when `None`.
    pub evaluation: Option<RunId>,
    /// As [`PublicationGate::base`].
    pub base: Option<RunId>,
    /// As [`PublicationGate::minimum`].
    pub minimum: Option<f64>,
    /// As [`PublicationGate::may_drop`].
    pub may_drop: Vec<String>,
}

impl EvaluationService {
    /// What a version must fulfil: what the caller demands, and what the gate of the form does. Without an evaluation of the
    /// caller, the newest finished one of the version over the set of the gate is meant. `None` where nothing is demanded.
    ///
    /// # Errors
    /// [`EvaluationError::GateFailed`] when the version has no such evaluation, or the caller's is one over another set; when
    /// the form is unknown, or the store fails.
    pub async fn demanded_gate(
        &self,
        scope: &Scope,
        form_id: &str,
        version: u32,
        wanted: GateRequest,
    ) -> Result<Option<PublicationGate>, EvaluationError> {
        let form = self.ports.forms.get(scope, form_id).await?;
        let GateRequest { evaluation, base, minimum, may_drop } = wanted;
        // Nothing comes into force that is not.
        let gate = form.gate.filter(|_| form.version != version);
        let Some(FormGate { evaluation_set, minimum: least }) = gate else {
            let gate = evaluation.map(|evaluation| PublicationGate { evaluation, base, minimum, may_drop });
            return Ok(gate);
        };
        let missing = |rule: String| EvaluationError::GateFailed(vec![Violation::new("/evaluation", rule)]);
        let evaluation = match evaluation {
            Some(sid) => {
                let run = self.ports.runs.of_evaluation_set(scope, &evaluation_set, sid).await?;
                let rule = || format!("the gate of the form demands an evaluation over '{evaluation_set}'");
                run.map(|run| run.sid).ok_or_else(|| missing(rule()))?
            }
            None => {
                let of_version = |run: &Run| run.plan.form_version == version && run.plan.form_id == form_id;
                let run = self.newest_evaluation(scope, &evaluation_set, of_version).await?;
                let rule = || {
                    format!(
                        "version {version} has no finished evaluation over '{evaluation_set}', which the gate demands"
                    )
                };
                run.map(|run| run.sid).ok_or_else(|| missing(rule()))?
            }
        };
        let minimum = Some(minimum.map_or(least, |minimum| minimum.max(least)));
        Ok(Some(PublicationGate { evaluation, base, minimum, may_drop }))
    }

    /// Sets the gate of a form, or removes it.
    ///
    /// # Errors
    /// When the form or the set is unknown, the set is one of another form, the share is not one, or the store fails.
    pub async fn set_gate(
        &self,
        scope: &Scope,
        form_id: &str,
        gate: Option<FormGate>,
    ) -> Result<Form, EvaluationError> {
        self.ports.forms.get(scope, form_id).await?;
        if let Some(gate) = &gate {
            let set = match self.get(scope, &gate.evaluation_set).await {
                Err(EvaluationError::SetNotFound) => None,
                found => Some(found?),
            };
            if set.is_none_or(|set| set.form_id != form_id) {
                let rule = "the form has no evaluation set with this id";
                return Err(invalid("/evaluation_set", rule.to_owned()));
            }
            if !(0.0..=1.0).contains(&gate.minimum) {
                return Err(invalid("/minimum", "'minimum' must be a share from 0 to 1".to_owned()));
            }
        }
        Ok(self.ports.forms.set_gate(scope, form_id, gate).await?)
    }

    /// Checks that an evaluation of a version passes: it is not worse than the base, and its share of right values is not
    /// below the minimum. Returns the version that was in force.
    ///
    /// # Errors
    /// [`EvaluationError::GateFailed`]; when the form or the version is unknown, an evaluation is unfinished or is one of
    /// another version or set, there is nothing to compare with, or the store fails.
    pub async fn check_gate(
        &self,
        scope: &Scope,
        form_id: &str,
        version: u32,
        gate: &PublicationGate,
    ) -> Result<u32, EvaluationError> {
        if gate.minimum.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(invalid("/minimum", "'minimum' must be a share from 0 to 1".to_owned()));
        }
        let in_force = self.ports.forms.get(scope, form_id).await?.version;
        self.ports.forms.version(scope, form_id, version).await?;
        let run = self.finished_evaluation(scope, form_id, gate.evaluation, "/evaluation").await?;
        if run.plan.form_version != version {
            let rule = format!("{} is an evaluation of version {}", run.sid.0, run.plan.form_version);
            return Err(invalid("/evaluation", rule));
        }
        let base = match gate.base {
            Some(sid) => Some(self.finished_evaluation(scope, form_id, sid, "/base").await?),
            None => self.evaluation_like(scope, &run, in_force).await?,
        };
        if base.as_ref().is_some_and(|base| base.plan.evaluation_set != run.plan.evaluation_set) {
            return Err(invalid("/base", "'base' is an evaluation over another set".to_owned()));
        }
        if base.is_none() && gate.minimum.is_none() {
            let rule = format!(
                "there is no finished evaluation of version {in_force}, which is in force, over this set with this \
                 model; evaluate it, or name a 'base' or a 'minimum'"
            );
            return Err(invalid("/base", rule));
        }
        let set = run.plan.evaluation_set.unwrap_or_default();
        let report =
            self.report_without(scope, &set, run.sid, base.map(|base| base.sid), &gate.may_drop).await?;
        let share = report.report.accuracy.map_or(0.0, |accuracy| accuracy.value);
        let failures = failures(report.comparison.as_ref(), share, gate.minimum);
        if failures.is_empty() { Ok(in_force) } else { Err(EvaluationError::GateFailed(failures)) }
    }

    /// An evaluation of the form that has come to its end; `place` names it in the request.
    async fn finished_evaluation(
        &self,
        scope: &Scope,
        form_id: &str,
        sid: RunId,
        place: &str,
    ) -> Result<Run, EvaluationError> {
        let found = self.ports.runs.evaluation(scope, sid).await?;
        match found.filter(|run| run.plan.form_id == form_id) {
            Some(run) if is_finished(&run) => Ok(run),
            Some(run) => {
                let rule =
                    format!("the evaluation {} is {}, and has no whole scores", sid.0, run.state.name());
                Err(invalid(place, rule))
            }
            None => Err(invalid(place, format!("the form has no evaluation {}", sid.0))),
        }
    }

    /// The newest finished evaluation of a version over the set of `run` with its model.
    async fn evaluation_like(
        &self,
        scope: &Scope,
        run: &Run,
        version: u32,
    ) -> Result<Option<Run>, EvaluationError> {
        let set = run.plan.evaluation_set.as_deref().unwrap_or_default();
        let fits = |other: &Run| {
            other.plan.form_version == version
                && other.plan.form_id == run.plan.form_id
                && other.plan.model_id == run.plan.model_id
        };
        self.newest_evaluation(scope, set, fits).await
    }

    /// The newest evaluation over a set that fits.
    async fn newest_evaluation(
        &self,
        scope: &Scope,
        set: &str,
        fits: impl Fn(&Run) -> bool,
    ) -> Result<Option<Run>, EvaluationError> {
        let mut page = PageRequest::first(100);
        let mut searched = 0;
        loop {
            let runs = self.ports.sets.runs(scope, set, &page).await?;
            searched += page.limit;
            if let Some(found) = runs.items.into_iter().find(|run| is_finished(run) && fits(run)) {
                return Ok(Some(found));
            }
            match runs.next {
                Some(cursor) if searched < MAX_SEARCHED => page.position = Position::After(cursor),
                _ => return Ok(None),
            }
        }
    }
}

fn invalid(path: &str, rule: String) -> EvaluationError {
    EvaluationError::Invalid(vec![Violation::new(path, rule)])
}

/// Whether every group of a run has an outcome of its own.
fn is_finished(run: &Run) -> bool {
    matches!(run.state, RunState::Succeeded | RunState::PartlyFailed | RunState::Failed)
}

/// Why an evaluation does not pass: the fields that got worse, each with its counts, and a share below the minimum.
fn failures(comparison: Option<&Comparison>, share: f64, minimum: Option<f64>) -> Vec<Violation> {
    let worse = comparison.filter(|comparison| comparison.has_worse_values());
    let mut found = worse.map(worse_fields).unwrap_or_default();
    let dropped = comparison.map(|comparison| comparison.form.dropped.as_slice()).unwrap_or_default();
    found.extend(dropped.iter().take(100).map(|field| {
        let rule = format!(
            "'{field}' is dropped: the version has no such field; name it in 'may_drop' if it is to go"
        );
        Violation::new("/may_drop", rule)
    }));
    if let Some(least) = minimum.filter(|least| share < *least) {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let rule = format!("{} of the values are right, less than {}", percent(share), percent(least));
        found.push(Violation::new("/minimum", rule));
    }
    found
}

fn worse_fields(comparison: &Comparison) -> Vec<Violation> {
    let worse = comparison.fields.iter().filter(|(_, change)| change.worse > change.better).take(100);
    let told = worse.map(|(field, change)| {
        let rule =
            format!("'{field}' got worse: {} values became wrong, {} right", change.worse, change.better);
        Violation::new("/evaluation", rule)
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{FieldChange, FormChanges};
    use shared_core::DomainError as _;

    #[test]
    fn fields_that_got_worse_are_named_only_when_the_whole_did() {
        let field = |better, worse| FieldChange { better, worse };
        let fields = [("/a".to_owned(), field(0, 6)), ("/b".to_owned(), field(1, 0))].into();
        let worse = Comparison { better: 1, worse: 6, other: 3, fields, ..Comparison::default() };
        assert!(failures(Some(&worse), 0.9, Some(0.9)).is_empty(), "7 of 128 may be chance");
        let fields = [("/a".to_owned(), field(0, 8)), ("/b".to_owned(), field(1, 0))].into();
        let worse = Comparison { better: 1, worse: 8, other: 3, fields, ..Comparison::default() };
        let found = failures(Some(&worse), 0.5, Some(0.9));
        let told: Vec<&str> = found.iter().map(|violation| violation.message.as_str()).collect();
        let low = "50.0 % of the values are right, less than 90.0 %";
        assert_eq!(told, ["'/a' got worse: 8 values became wrong, 0 right", low]);
        let error = EvaluationError::GateFailed(found);
        assert_eq!((error.code(), error.violations().len()), ("evaluation_gate_failed", 2));
        assert!(failures(None, 0.0, None).is_empty());
        let form = FormChanges { dropped: vec!["/note".into()], ..FormChanges::default() };
        let found = failures(Some(&Comparison { form, ..Comparison::default() }), 1.0, None);
        assert!(found.len() == 1 && found[0].message.starts_with("'/note' is dropped"), "{found:?}");
    }
}
