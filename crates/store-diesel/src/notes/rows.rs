//! Rows of notes, and the stable identity of their resources.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use notes_core::{Note, NoteId, Resource, ResourceKind, Role};
use shared_core::{StoreError, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt};
use crate::rows::{author, from_json, time};
use crate::schema::{agents, files, kb_bases};
use crate::text_encoding::{decode, encode};

#[derive(Queryable)]
pub(super) struct NoteRow {
    id: i64,
    workspace: String,
    resource: String,
    owner: String,
    author: String,
    role: String,
    _content_bytes: i64,
    _meta_bytes: i64,
    content: String,
    meta: String,
    created: i64,
    updated: i64,
}

impl NoteRow {
    pub(super) fn read(
        self,
        (name, email): (String, String),
        resource: Resource,
    ) -> Result<Note, StoreError> {
        let role = Role::from_name(&self.role);
        Ok(Note {
            id: NoteId(self.id),
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            resource,
            role: role.ok_or_else(|| corrupt(format!("'{}' is no role", self.role)))?,
            content: decode(self.content),
            meta: from_json(&self.meta)?,
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }

    /// The resource of the note under its present name; `namespace` is that of its agent.
    pub(super) fn resource(&self, namespace: Option<String>) -> Result<Resource, StoreError> {
        let kind = ResourceKind::from_name(&self.resource)
            .ok_or_else(|| corrupt(format!("'{}' is no kind of resource", self.resource)))?;
        let id = match kind {
            ResourceKind::Agent => namespace.ok_or_else(|| corrupt("a note's agent is missing"))?,
            ResourceKind::KnowledgeBase | ResourceKind::File => self.owner.clone(),
        };
        Ok(Resource { kind, id })
    }
}

/// A note with its author's name and e-mail address.
pub(super) type NoteWithAuthor = (NoteRow, (String, String));

/// The stable identity of a resource: its row in the table of its kind.
#[derive(Clone, Debug)]
pub(super) struct NoteOwner {
    pub(super) kind: ResourceKind,
    /// The row's id as text.
    pub(super) key: String,
    /// Number of the knowledge base, if it is one.
    pub(super) base: Option<i64>,
}

impl NoteOwner {
    /// The resource's owner, if the workspace has it.
    pub(super) fn find(
        connection: &mut AnyConnection,
        workspace: &str,
        resource: &Resource,
    ) -> Result<Option<Self>, Failure> {
        let kind = resource.kind;
        let key = match kind {
            ResourceKind::Agent => {
                let namespace = encode(&resource.id);
                let query = agents::table
                    .filter(agents::workspace.eq(workspace).and(agents::namespace.eq(namespace.as_ref())))
                    .select(agents::id);
                prepared!(connection, inner => query.get_result::<String>(inner).optional())?
            }
            ResourceKind::File => {
                let Ok(id) = resource.id.parse::<i64>() else { return Ok(None) };
                let query = files::table
                    .filter(files::workspace.eq(workspace).and(files::id.eq(id)))
                    .select(files::id);
                let found = prepared!(connection, inner => query.get_result::<i64>(inner).optional())?;
                found.map(|id| id.to_string())
            }
            ResourceKind::KnowledgeBase => return Self::base(connection, workspace, &resource.id),
        };
        Ok(key.map(|key| Self { kind, key, base: None }))
    }

    fn base(connection: &mut AnyConnection, workspace: &str, id: &str) -> Result<Option<Self>, Failure> {
        let stored = encode(id);
        let query = kb_bases::table
            .filter(kb_bases::workspace.eq(workspace).and(kb_bases::id.eq(stored.as_ref())))
            .select(kb_bases::number);
        let number: Option<i64> = prepared!(connection, inner => query.get_result(inner).optional())?;
        let owner =
            |number| Self { kind: ResourceKind::KnowledgeBase, key: id.to_owned(), base: Some(number) };
        Ok(number.map(owner))
    }

    /// The agent, if it is one.
    pub(super) fn agent(&self) -> Option<&str> {
        (self.kind == ResourceKind::Agent).then_some(self.key.as_str())
    }

    /// The file, if it is one.
    pub(super) fn file(&self) -> Option<i64> {
        if self.kind == ResourceKind::File { self.key.parse().ok() } else { None }
    }
}
