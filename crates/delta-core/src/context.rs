//! Loads what the groups of a run need for processing.

use std::sync::Arc;

use forms_core::{AnswerStore, DocumentGroup, ExtractRequest};
use gen_core::{CallerContext, GenError, ModelId};
use shared_core::Scope;

use crate::group::RunContext;
use crate::{DeltaError, DocumentRef, RunPlan, RunPorts};

impl RunContext {
    /// The context of a run with this plan.
    pub(crate) async fn load(ports: &RunPorts, scope: &Scope, mut plan: RunPlan) -> Result<Self, DeltaError> {
        let mut forms = Vec::new();
        for form in plan.classification.take().map(|found| found.forms).unwrap_or_default() {
            let version = ports.forms.version(scope, &form.form_id, form.form_version).await?;
            let schema = version.parse_schema().map_err(DeltaError::FormInvalid)?;
            forms.push((form, Arc::new(schema)));
        }
        let version = ports.forms.version(scope, &plan.form_id, plan.form_version).await?;
        let schema = version.parse_schema().map_err(DeltaError::FormInvalid)?;
        let model: ModelId = plan.model_id.parse().map_err(GenError::from)?;
        Ok(Self {
            payer: CallerContext { scope: scope.clone(), key: plan.key.clone() },
            documents: ports.documents.clone(),
            engine: ports.engine.clone().for_run().with_call_options(plan.settings.call_options()),
            schema: Arc::new(schema),
            forms,
            class: None,
            model,
            clock: Arc::clone(&ports.clock),
            rng: Arc::clone(&ports.rng),
            plan,
        })
    }

    /// The context for a group: that of its form, where the run has several.
    pub(crate) fn of_group(self: &Arc<Self>, documents: &[DocumentRef]) -> Arc<Self> {
        let class = documents.first().and_then(|document| document.class.clone());
        let known = class.as_ref().and_then(|class| self.forms.iter().find(|(form, _)| *form == class.form));
        let Some((form, schema)) = known else { return Arc::clone(self) };
        let plan =
            RunPlan { form_id: form.form_id.clone(), form_version: form.form_version, ..self.plan.clone() };
        Arc::new(Self { plan, schema: Arc::clone(schema), class, forms: Vec::new(), ..Self::clone(self) })
    }

    /// Whether the form of the group should be known and is not.
    pub(crate) fn is_unclassified(&self) -> bool {
        !self.forms.is_empty()
    }

    /// The extraction of a group's documents.
    pub(crate) fn request<'a>(
        &'a self,
        documents: &'a DocumentGroup,
        answers: &'a dyn AnswerStore,
    ) -> ExtractRequest<'a> {
        ExtractRequest {
            payer: &self.payer,
            schema: &self.schema,
            instructions: &self.plan.instructions,
            model: &self.model,
            documents: documents.documents(),
            answers,
        }
    }
}
