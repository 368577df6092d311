//! Administration: members with roles, keys, sign-ins, workspaces.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Home, Server, settle};

/// A server with an admin key of its first owner.
struct Office {
    server: Server,
    admin: String,
}

impl Office {
    fn of(server: Server) -> Self {
        let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
        Self { server, admin }
    }

    async fn send(&self, key: &str, method: Method, path: &str, body: Value) -> Answer {
        let call = self.server.request(method, path).key(key);
        let call = if body.is_null() { call } else { call.json(&body) };
        call.send().await
    }

    async fn get(&self, path: &str) -> Value {
        self.send(&self.admin, Method::GET, path, Value::Null).await.ok()
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(&self.admin, Method::POST, path, body).await
    }

    async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(&self.admin, Method::PUT, path, body).await
    }

    async fn delete(&self, path: &str) -> Answer {
        self.send(&self.admin, Method::DELETE, path, Value::Null).await
    }

    async fn member(&self, name: &str, role: &str) -> String {
        let new = json!({"name": name, "email": format!("{name}@example.com"), "role": role});
        self.post("/v1/members", new).await.ok()["id"].as_str().unwrap().to_owned()
    }

    async fn key(&self, body: Value) -> (String, String) {
        let issued = self.post("/v1/keys", body).await.ok();
        (issued["id"].as_str().unwrap().to_owned(), issued["secret"].as_str().unwrap().to_owned())
    }

    /// The status and code of creating a form with a key.
    async fn write(&self, key: &str) -> (u16, Value) {
        let form = json!({"title": "t", "schema": {"a": {"type": "string"}}});
        let answer = self.send(key, Method::POST, "/v1/form", form).await;
        (answer.status, answer.value()["code"].clone())
    }

    async fn me(&self, key: &str) -> Answer {
        self.send(key, Method::GET, "/v1/me", Value::Null).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_administer_members_whose_roles_narrow_their_keys() {
    members(Office::of(Server::start())).await;
}

pub(crate) async fn hold_on_postgres() {
    if let Some(home) = Home::on_postgres() {
        members(Office::of(home.start())).await;
    }
    if let Some(home) = Home::on_postgres() {
        sign_ins(Office::of(home.start())).await;
    }
}

async fn members(office: Office) {
    let refused = office.send(&office.server.key, Method::GET, "/v1/members", Value::Null).await;
    refused.fails(403, "admin_key_needed");
    let ben = office.member("ben", "member").await;
    let one = format!("/v1/members/{ben}");
    let taken = json!({"name": "Ben", "email": "ben@example.com", "role": "viewer"});
    office.post("/v1/members", taken.clone()).await.fails(409, "already_exists");
    let listed = office.get("/v1/members").await;
    assert_eq!(
        (listed["members"][0]["id"].as_str(), &listed["meta"]["total_items"]),
        (Some(&*ben), &json!(2))
    );

    let beyond = json!({"name": "k", "scope": "admin", "member_id": ben});
    office.post("/v1/keys", beyond).await.fails_at(400, "validation_failed", "/scope");
    let (_, key) = office.key(json!({"name": "k", "member_id": ben})).await;
    assert_eq!(office.me(&key).await.ok()["role"], "member");
    assert_eq!(office.write(&key).await.0, 200);
    assert_eq!(office.put(&one, json!({"role": "viewer"})).await.ok()["role"], "viewer");
    assert_eq!(office.me(&key).await.ok()["key"]["scope"], "read");
    assert_eq!(office.write(&key).await, (403, json!("read_only_key")));
    office.put(&one, json!({"role": "queen"})).await.fails_at(400, "validation_failed", "/role");

    let first = listed["members"][1]["id"].as_str().unwrap().to_owned();
    office.put(&format!("/v1/members/{first}"), json!({"role": "member"})).await.fails(409, "last_owner");
    office.delete(&format!("/v1/members/{first}")).await.fails(409, "last_owner");
    office.delete(&one).await.ok();
    office.me(&key).await.fails(401, "invalid_key");
    office.delete(&one).await.fails(404, "member_not_found");
    let back = office.post("/v1/members", taken).await.ok();
    assert_eq!((back["id"].as_str(), &back["role"]), (Some(&*ben), &json!("viewer")));
    office.me(&key).await.fails(401, "invalid_key");

    // A second owner, who makes the first a member, takes its administration away.
    let cleo = office.member("cleo", "owner").await;
    let (_, other) = office.key(json!({"name": "k", "scope": "admin", "member_id": cleo})).await;
    let demotion = json!({"role": "member"});
    office.send(&other, Method::PUT, &format!("/v1/members/{first}"), demotion).await.ok();
    let refused = office.send(&office.admin, Method::GET, "/v1/members", Value::Null).await;
    refused.fails(403, "admin_key_needed");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_issued_changed_rotated_and_revoked() {
    let office = Office::of(Server::start());
    let new = json!({
        "name": "shop", "scope": "read", "expires": "2099-01-31T00:00:00Z",
        "limits": {"requests_per_minute": 50, "cost_per_day": 12.5}
    });
    let issued = office.post("/v1/keys", new).await.ok();
    let (id, secret) = (issued["id"].as_str().unwrap(), issued["secret"].as_str().unwrap());
    let mut shown = issued.clone();
    shown.as_object_mut().unwrap().remove("secret");
    let one = format!("/v1/keys/{id}");
    assert_eq!(office.get(&one).await, shown);
    assert_eq!(office.get(&format!("/v1/keys/{}", &secret[..11])).await, shown);
    let list = office.get("/v1/keys").await;
    assert!(
        list["keys"][0] == shown && list["meta"]["total_items"] == 3 && !list.to_string().contains(secret)
    );
    let limits = json!({"requests_per_minute": 50, "cost_per_day": 12.5});
    let me = office.me(secret).await.ok()["key"].clone();
    assert_eq!((&me["limits"], &me["expires"]), (&limits, &json!("2099-01-31T00:00:00.000Z")));

    for (path, bad) in [
        ("/expires", json!({"name": "k", "expires": "tomorrow"})),
        ("/expires", json!({"name": "k", "expires": "2020-01-01T00:00:00Z"})),
        ("/scope", json!({"name": "k", "scope": "all"})),
        ("/name", json!({"name": ""})),
        ("/bases", json!({"name": "k", "bases": []})),
        ("/bases", json!({"name": "k", "scope": "admin", "bases": ["kb_1"]})),
        ("/limits/cost_per_day", json!({"name": "k", "limits": {"cost_per_day": -1}})),
    ] {
        office.post("/v1/keys", bad).await.fails_at(400, "validation_failed", path);
    }
    let nobody = json!({"name": "k", "member_id": "user_none"});
    office.post("/v1/keys", nobody).await.fails(404, "member_not_found");

    let changed = office.put(&one, json!({"name": "web shop", "expires": null, "limits": {}})).await.ok();
    assert_eq!(
        (&changed["name"], &changed["expires"], &changed["limits"]),
        (&json!("web shop"), &Value::Null, &Value::Null)
    );
    assert_eq!(office.me(secret).await.ok()["key"]["limits"], Value::Null);

    let rotate = format!("{one}/rotate");
    let late = office.post(&rotate, json!({"grace_seconds": 2_592_001})).await;
    late.fails_at(400, "validation_failed", "/grace_seconds");
    let next = office.post(&rotate, json!({"grace_seconds": 3600})).await.ok();
    let successor = next["secret"].as_str().unwrap();
    assert_eq!((&next["name"], &next["scope"]), (&json!("web shop"), &json!("read")));
    office.me(secret).await.ok();
    office.me(successor).await.ok();
    // A second successor would end with the grace of the first.
    office.post(&rotate, json!({"grace_seconds": 3600})).await.fails(409, "key_rotated");
    assert_eq!(office.get(&one).await["successor"], next["id"]);
    assert!(office.get(&one).await["expires"].is_string());
    let last =
        office.post(&format!("/v1/keys/{}/rotate", next["id"].as_str().unwrap()), json!({})).await.ok();
    office.me(successor).await.fails(401, "invalid_key");
    let last = last["secret"].as_str().unwrap();
    office.me(last).await.ok();
    office.delete(&format!("/v1/keys/{}", &last[..11])).await.ok();
    office.me(last).await.fails(401, "invalid_key");
    office.delete(&format!("/v1/keys/{}", &last[..11])).await.fails(404, "key_not_found");
    let revoked = office.get(&format!("/v1/keys/{}", &last[..11])).await;
    assert_eq!(revoked["state"], "revoked");
    office.post(&format!("/v1/keys/{}/rotate", &last[..11]), json!({})).await.fails(404, "key_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_for_some_knowledge_bases_searches_them_and_nothing_else() {
    let office = Office::of(Server::start());
    let base = async |name: &str| {
        let base = office.server.post("/v1/knowledgebase", json!({"name": name})).await.ok();
        let id = base["knowledgeId"].as_str().unwrap().to_owned();
        let texts = json!({"texts": [{"title": "Tides", "content": "The ferry leaves at high tide."}]});
        let path = format!("/v1/knowledgebase/{id}/files");
        let item = office.server.post(&path, texts).await.ok()["files"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/knowledgebase/files/{item}");
        settle("a ready item", async || office.server.get(&path).await.ok()["status"] == "ready").await;
        id
    };
    let (own, other) = (base("own").await, base("other").await);
    let (id, key) = office.key(json!({"name": "widget", "bases": [own]})).await;
    assert_eq!(office.me(&key).await.ok()["key"]["bases"], json!([own]));
    let search = async |base: &str| {
        let path = format!("/v1/knowledgebase/{base}/search");
        office.send(&key, Method::POST, &path, json!({"query": "ferry"})).await
    };
    assert_eq!(search(&own).await.ok()["results"].as_array().unwrap().len(), 1);
    search(&other).await.fails(403, "restricted_key");
    search("kb_none").await.fails(403, "restricted_key");
    let generate = async |more: Value| {
        let mut body = json!({"modelId": "extractive@formwork", "prompt": "When does the ferry leave?"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        office.send(&key, Method::POST, "/v2/generate", body).await
    };
    assert!(generate(json!({"knowledgeId": own})).await.ok()["text"].as_str().unwrap().contains("high tide"));
    generate(json!({"knowledge": [{"id": own}, {"id": other}]})).await.fails(403, "restricted_key");
    generate(json!({"knowledgeId": own, "urls": ["1"]})).await.fails(403, "restricted_key");
    let once =
        office.server.request(Method::POST, "/v2/generate").key(&key).header("idempotency-key", "order-1");
    let body = json!({"modelId": "extractive@formwork", "prompt": "Hello?", "knowledgeId": own});
    once.json(&body).send().await.fails(403, "restricted_key");
    let streamed = generate(json!({"knowledgeId": other, "stream": true})).await;
    streamed.fails(403, "restricted_key");
    for path in ["/v1/knowledgebases", "/v1/form", "/v1/files", "/v1/quotas", "/v1/usage"] {
        office.send(&key, Method::GET, path, Value::Null).await.fails(403, "restricted_key");
    }
    assert_eq!(office.write(&key).await, (403, json!("restricted_key")));
    office.put(&format!("/v1/keys/{id}"), json!({"bases": null})).await.ok();
    search(&other).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn members_sign_in_by_password_and_out_again() {
    sign_ins(Office::of(Server::start())).await;
}

async fn sign_ins(office: Office) {
    let ben = office.member("ben", "member").await;
    let credentials = |password: &str| json!({"email": "BEN@example.com", "password": password});
    let sign_in = async |body: Value| {
        office.server.request(Method::POST, "/v1/sign_in").open().json(&body).send().await
    };
    let (first, second) = ("three boats at low tide", "four boats at high tide");
    sign_in(credentials(first)).await.fails(401, "invalid_credentials");
    let set = format!("/v1/members/{ben}/password");
    office.put(&set, json!({"password": "short"})).await.fails_at(400, "validation_failed", "/password");
    office.put(&set, json!({"password": first})).await.ok();
    sign_in(credentials(second)).await.fails(401, "invalid_credentials");
    sign_in(json!({"email": "nobody@example.com", "password": first}))
        .await
        .fails(401, "invalid_credentials");
    let signed_in = sign_in(credentials(first)).await.ok();
    let token = signed_in["token"].as_str().unwrap();
    assert_eq!((&signed_in["member"]["id"], &signed_in["workspace"]["name"]), (&json!(ben), &json!("Main")));
    assert_eq!(office.me(token).await.ok()["key"]["scope"], "write");
    let refused = office.send(token, Method::GET, "/v1/members", Value::Null).await;
    refused.fails(403, "admin_key_needed");

    let change = async |key: &str, current: &str, next: &str| {
        let body = json!({"current_password": current, "password": next});
        office.send(key, Method::PUT, "/v1/me/password", body).await
    };
    change(token, second, first).await.fails_at(400, "validation_failed", "/current_password");
    // A key of the owner, who has no password, cannot give it one.
    change(&office.server.key, "", first).await.fails_at(400, "validation_failed", "/current_password");
    change(token, first, second).await.ok();
    office.me(token).await.fails(401, "invalid_key");
    sign_in(credentials(first)).await.fails(401, "invalid_credentials");
    let token = sign_in(credentials(second)).await.ok()["token"].as_str().unwrap().to_owned();
    let issued = office.send(&office.server.key, Method::DELETE, "/v1/sign_in", Value::Null).await;
    issued.fails(409, "not_signed_in");
    office.send(&token, Method::DELETE, "/v1/sign_in", Value::Null).await.ok();
    office.me(&token).await.fails(401, "invalid_key");

    // The same address and password in another workspace.
    let new = json!({"name": "Pier", "owner": {"name": "Ben", "email": "ben@example.com"}});
    let created = office.post("/v1/workspaces", new).await.ok();
    let own = created["secret"].as_str().unwrap();
    let path = format!("/v1/members/{}/password", created["owner"]["id"].as_str().unwrap());
    office.send(own, Method::PUT, &path, json!({"password": second})).await.ok();
    sign_in(credentials(second)).await.fails_at(400, "validation_failed", "/workspace");
    let mut chosen = credentials(second);
    chosen["workspace"] = created["workspace"]["id"].clone();
    let signed_in = sign_in(chosen).await.ok();
    assert_eq!(
        (&signed_in["member"]["role"], &signed_in["workspace"]["name"]),
        (&json!("owner"), &json!("Pier"))
    );
    let token = signed_in["token"].as_str().unwrap();
    office.send(token, Method::GET, "/v1/members", Value::Null).await.ok();
    office.send(own, Method::PUT, &path, json!({"password": null})).await.ok();
    office.me(token).await.fails(401, "invalid_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_of_the_first_workspace_administer_the_others() {
    let office = Office::of(Server::start());
    let new = json!({"name": "Pier", "owner": {"name": "Cleo", "email": "cleo@example.com"}});
    let created = office.post("/v1/workspaces", new.clone()).await.ok();
    let (id, cleo) = (created["workspace"]["id"].as_str().unwrap(), created["secret"].as_str().unwrap());
    let one = format!("/v1/workspaces/{id}");
    let as_cleo = async |method: Method, path: &str, body: Value| office.send(cleo, method, path, body).await;
    let own = as_cleo(Method::GET, "/v1/workspaces", Value::Null).await.ok();
    assert_eq!((&own["workspaces"][0]["id"], &own["meta"]["total_items"]), (&json!(id), &json!(1)));
    let all = office.get("/v1/workspaces").await;
    assert_eq!(
        (&all["workspaces"][0]["operator"], &all["workspaces"][1]["operator"]),
        (&json!(false), &json!(true))
    );
    as_cleo(Method::POST, "/v1/workspaces", new).await.fails(403, "not_operator");
    let quotas = json!({"files": 3, "bytes": 1000});
    as_cleo(Method::PUT, &format!("{one}/quotas"), quotas.clone()).await.fails(403, "not_operator");
    let main = format!("/v1/workspaces/{}", all["workspaces"][1]["id"].as_str().unwrap());
    as_cleo(Method::GET, &main, Value::Null).await.fails(404, "workspace_not_found");
    as_cleo(Method::PUT, &format!("{main}/quotas"), quotas.clone()).await.fails(404, "workspace_not_found");
    let set = office.put(&format!("{one}/quotas"), quotas).await.ok();
    assert_eq!((&set["files"]["limit"], &set["chunks"]["limit"]), (&json!(3), &Value::Null));
    assert_eq!(as_cleo(Method::GET, "/v1/quotas", Value::Null).await.ok(), set);
    let removed = office.put(&format!("{one}/quotas"), json!({"bytes": null})).await.ok();
    assert_eq!((&removed["files"]["limit"], &removed["bytes"]["limit"]), (&json!(3), &Value::Null));
    assert_eq!(as_cleo(Method::PUT, &one, json!({"name": "North Pier"})).await.ok()["name"], "North Pier");
    assert_eq!(office.me(cleo).await.ok()["workspace"], "North Pier");
    office.put("/v1/workspaces/ws_none", json!({"name": "x"})).await.fails(404, "workspace_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_administers_the_same() {
    let office = Office::of(Server::start());
    let home = &office.server.home;
    home.told(&["users", "create", "--name", "Ben", "--email", "ben@example.com", "--role", "viewer"]);
    let refused = home.run(&["keys", "create", "--email", "ben@example.com"]);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("'scope' must be at most 'read' for a user with the role 'viewer'"), "{told}");
    assert!(
        home.told(&["users", "set-role", "--email", "ben@example.com", "--role", "member"])
            .ends_with("\tmember")
    );
    let key = home.told(&["keys", "create", "--email", "ben@example.com"]);
    let next = home.told(&["keys", "rotate", &key[..11]]);
    office.me(&key).await.fails(401, "invalid_key");
    office.me(&next).await.ok();
    // The same address in another workspace: the command line asks which one is meant.
    let create =
        ["users", "create", "--name", "Ben", "--email", "ben@example.com", "--new-workspace", "Pier"];
    assert!(home.told(&create).ends_with("Pier\towner"));
    let refused = home.run(&["keys", "create", "--email", "ben@example.com"]);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("several workspaces have a user with this e-mail address"), "{told}");
    let key = home.told(&["keys", "create", "--email", "ben@example.com", "--workspace", "Pier"]);
    assert_eq!(office.me(&key).await.ok()["workspace"], "Pier");
    home.told(&["workspaces", "rename", "--workspace", "Pier", "--name", "North Pier"]);
    assert!(home.told(&["workspaces", "list"]).ends_with("\tNorth Pier"));
    home.told(&["users", "remove", "--email", "ben@example.com", "--workspace", "Main"]);
    office.me(&next).await.fails(401, "invalid_key");
    let kept = home.run(&["users", "remove", "--email", "ben@example.com", "--workspace", "North Pier"]);
    assert!(String::from_utf8(kept.stderr).unwrap().contains("the member is the last owner"));
}
