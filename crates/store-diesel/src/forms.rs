//! The adapter of forms and their versions.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, EscapeExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _,
    OptionalExtension as _, QueryDsl as _, Queryable, RunQueryDsl as _, TextExpressionMethods as _,
};
use forms_core::{Form, FormRepository, FormSummary, FormVersion, FormVersionSummary};
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, foreign_key_violation_as};
use crate::form_versions::{self, VersionContent, read_version, stored_version};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::rows::{author, from_json, time, to_json};
use crate::schema::{agent_forms, agents, evaluation_sets, forms, users};
use crate::text_encoding::{contains_pattern, decode, encode};

/// Forms in the database.
#[derive(Clone, Debug)]
pub struct DieselForms(Database);

impl DieselForms {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct FormRow {
    workspace: String,
    id: String,
    author: String,
    title: String,
    _title_folded: String,
    definition: String,
    version: i32,
    revision: i64,
    created: i64,
    updated: i64,
    examples: String,
    latest: i32,
    draft: Option<i32>,
    gate: Option<String>,
}

impl FormRow {
    fn read(self, (name, email): (String, String)) -> Result<Form, StoreError> {
        Ok(Form {
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            title: decode(self.title),
            schema: from_json(&self.definition)?,
            examples: from_json(&self.examples)?,
            version: read_version(self.version)?,
            latest: read_version(self.latest)?,
            draft: self.draft.map(read_version).transpose()?,
            gate: self.gate.as_deref().map(from_json).transpose()?,
            revision: Revision(self.revision),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

#[derive(Queryable)]
struct SummaryRow {
    id: String,
    title: String,
    author: String,
    author_name: String,
    author_email: String,
    created: i64,
    updated: i64,
}

impl SummaryRow {
    fn read(self) -> Result<FormSummary, Failure> {
        Ok(FormSummary {
            id: self.id,
            title: decode(self.title),
            author: author(self.author, self.author_name, self.author_email),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

/// Replaces a form whose stored revision is the expected one.
fn replace(
    connection: &mut AnyConnection,
    form: &Form,
    content: &VersionContent,
    expected: Revision,
) -> Result<(), Failure> {
    let same = forms::table
        .filter(forms::workspace.eq(&form.workspace.0).and(forms::id.eq(&form.id)))
        .filter(forms::revision.eq(expected.0));
    let changed = diesel::update(same)
        .set((
            forms::title.eq(encode(&form.title).as_ref()),
            forms::title_folded.eq(encode(&form.title.to_lowercase()).as_ref()),
            forms::definition.eq(&content.definition),
            forms::examples.eq(&content.examples),
            forms::version.eq(stored_version(form.version)),
            forms::latest.eq(stored_version(form.latest)),
            forms::draft.eq(form.draft.map(stored_version)),
            forms::gate.eq(form.gate.as_ref().map(to_json).transpose()?),
            forms::revision.eq(form.revision.0),
            forms::updated.eq(form.updated.micros()),
        ))
        .execute(connection)?;
    if changed == 0 { Err(StoreError::Stale.into()) } else { Ok(()) }
}

/// Joins the author's row to the form's.
macro_rules! with_author {
    () => {
        forms::table.inner_join(
            users::table.on(users::workspace.eq(forms::workspace).and(users::id.eq(forms::author))),
        )
    };
}

/// The namespaces of at most ten agents that use the form.
fn agents_of(connection: &mut AnyConnection, workspace: &str, id: &str) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = agents::table
        .filter(agents::workspace.eq(workspace).and(agents::form.eq(id)))
        .select(agents::namespace)
        .order(agents::namespace)
        .limit(10)
        .load(connection)?;
    let further = agent_forms::table
        .inner_join(
            agents::table
                .on(agents::workspace.eq(agent_forms::workspace).and(agents::id.eq(agent_forms::agent))),
        )
        .filter(agent_forms::workspace.eq(workspace).and(agent_forms::form.eq(id)))
        .select(agents::namespace)
        .order(agents::namespace)
        .limit(10)
        .load::<String>(connection)?;
    Ok(names.into_iter().chain(further).collect())
}

/// Evaluation sets of a form.
fn sets_of(connection: &mut AnyConnection, workspace: &str, id: &str) -> Result<Vec<String>, Failure> {
    let ids = evaluation_sets::table
        .filter(evaluation_sets::workspace.eq(workspace).and(evaluation_sets::form.eq(id)))
        .select(evaluation_sets::id)
        .order(evaluation_sets::id)
        .limit(10)
        .load(connection)?;
    Ok(ids)
}

#[async_trait]
impl FormRepository for DieselForms {
    async fn insert(&self, scope: &Scope, form: &Form) -> Result<(), StoreError> {
        let (workspace, user, form) = (scope.workspace.0.clone(), scope.user.0.clone(), form.clone());
        let content = VersionContent::of(&form.schema, &form.examples)?;
        let id = form.id.clone();
        let insert = move |connection: &mut AnyConnection| {
            let folded = form.title.to_lowercase();
            let (title, folded) = (encode(&form.title), encode(&folded));
            let insert = diesel::insert_into(forms::table).values((
                forms::workspace.eq(&workspace),
                forms::id.eq(&form.id),
                forms::author.eq(&user),
                forms::title.eq(title.as_ref()),
                forms::title_folded.eq(folded.as_ref()),
                forms::definition.eq(&content.definition),
                forms::examples.eq(&content.examples),
                forms::version.eq(stored_version(form.version)),
                forms::latest.eq(stored_version(form.latest)),
                forms::draft.eq(form.draft.map(stored_version)),
                forms::gate.eq(form.gate.as_ref().map(to_json).transpose()?),
                forms::revision.eq(form.revision.0),
                forms::created.eq(form.created.micros()),
                forms::updated.eq(form.updated.micros()),
            ));
            prepared!(connection, inner => insert.execute(inner))
                .map_err(foreign_key_violation_as("user"))?;
            form_versions::publish(connection, &form, &content)
        };
        self.0.write_effect(insert, move |()| effect("form", [&id])).await
    }

    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<Form>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.to_owned());
        let find = move |connection: &mut AnyConnection| {
            let id = encode(&id);
            let query = with_author!()
                .filter(forms::workspace.eq(&workspace).and(forms::id.eq(id.as_ref())))
                .select((forms::all_columns, (users::name, users::email)));
            let found: Option<(FormRow, (String, String))> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            Ok(found.map(|(row, author)| row.read(author)).transpose()?)
        };
        self.0.query(find).await
    }

    async fn find_version(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
    ) -> Result<Option<FormVersion>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.to_owned());
        self.0.query(move |connection| form_versions::find(connection, &workspace, &id, version)).await
    }

    async fn list_versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, StoreError> {
        let (workspace, id, page) = (scope.workspace.0.clone(), id.to_owned(), page.clone());
        self.0.read(move |connection| form_versions::list(connection, &workspace, &id, &page)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        let pattern = contains_pattern(&title.unwrap_or_default().to_lowercase());
        let list = move |connection: &mut AnyConnection| {
            let fits =
                || forms::workspace.eq(&workspace).and(forms::title_folded.like(&pattern).escape('\\'));
            let total: i64 = forms::table.filter(fits()).count().get_result(connection)?;
            let columns = (
                forms::id,
                forms::title,
                forms::author,
                users::name,
                users::email,
                forms::created,
                forms::updated,
            );
            let query = with_author!().filter(fits()).select(columns).into_boxed();
            let rows: Vec<SummaryRow> =
                cut!(query, &page, forms::created, forms::id, String::clone).load(connection)?;
            let items = rows.into_iter().map(SummaryRow::read).collect::<Result<Vec<_>, _>>()?;
            let key = |form: &FormSummary| Cursor { created: form.created, id: form.id.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn update(&self, scope: &Scope, form: &Form, expected: Revision) -> Result<(), StoreError> {
        let form = Form { workspace: scope.workspace.clone(), ..form.clone() };
        let (content, id) = (VersionContent::of(&form.schema, &form.examples)?, form.id.clone());
        let update = move |connection: &mut AnyConnection| {
            replace(connection, &form, &content, expected)?;
            form_versions::publish(connection, &form, &content)
        };
        self.0.write_effect(update, move |()| effect("form", [&id])).await
    }

    async fn add_draft(
        &self,
        scope: &Scope,
        form: &Form,
        draft: &FormVersion,
        expected: Revision,
    ) -> Result<(), StoreError> {
        let form = Form { workspace: scope.workspace.clone(), ..form.clone() };
        let draft = draft.clone();
        let (content, id) = (VersionContent::of(&form.schema, &form.examples)?, form.id.clone());
        let of_draft = VersionContent::of(&draft.schema, &draft.examples)?;
        let add = move |connection: &mut AnyConnection| {
            replace(connection, &form, &content, expected)?;
            form_versions::insert(connection, &form.workspace, &draft, &of_draft)?;
            Ok(())
        };
        self.0.write_effect(add, move |()| effect("form", [&id])).await
    }

    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), encode(id).into_owned());
        let delete = move |connection: &mut AnyConnection| {
            let mut users = agents_of(connection, &workspace, &id)?;
            users.extend(sets_of(connection, &workspace, &id)?);
            if !users.is_empty() {
                return Err(StoreError::InUse(users).into());
            }
            let named = forms::table.filter(forms::workspace.eq(&workspace).and(forms::id.eq(&id)));
            // An agent or a set that took the form after the check violates the foreign key: check again.
            let deleted = diesel::delete(named).execute(connection).map_err(retry_if_referenced)?;
            Ok(deleted > 0)
        };
        self.0.write(delete).await
    }
}

fn retry_if_referenced(error: diesel::result::Error) -> Failure {
    match foreign_key_violation_as("agent")(error) {
        Failure::Store(StoreError::Missing(_)) => Failure::Retry,
        other => other,
    }
}
