//! Loads what the groups of a run need for processing.

use std::sync::Arc;

use forms_core::{AnswerStore, DocumentGroup, ExtractRequest};
use gen_core::{CallerContext, GenError, ModelId};
use shared_core::Scope;

use crate::group::RunContext;
use crate::{DeltaError, RunPlan, RunPorts};

impl RunContext {
    /// The context of a run with this plan.
    pub(crate) async fn load(ports: &RunPorts, scope: &Scope, plan: RunPlan) -> Result<Self, DeltaError> {
        let version = ports.forms.version(scope, &plan.form_id, plan.form_version).await?;
        let schema = version.parse_schema().map_err(DeltaError::FormInvalid)?;
        let model: ModelId = plan.model_id.parse().map_err(GenError::from)?;
        Ok(Self {
            payer: CallerContext { scope: scope.clone(), key: plan.key.clone() },
            documents: ports.documents.clone(),
            engine: ports.engine.clone().for_run().with_call_options(plan.settings.call_options()),
            schema: Arc::new(schema),
            model,
            clock: Arc::clone(&ports.clock),
            rng: Arc::clone(&ports.rng),
            plan,
        })
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
