//! Benchmark: the review queue and evaluations.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::server::Server;

/// Groups of the reviewed run, and of the evaluation set.
const GROUPS: [usize; 2] = [1_000, 500];
/// Rows of a document: with its number, day and total, at least ten values.
const ROWS: usize = 4;
/// Requests of each measurement.
const REQUESTS: usize = 200;

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = Server::start()?;
    let bench = Bench { client: server.client()?, url: server.url.clone(), server };
    runtime.block_on(bench.measure())
}

struct Bench {
    server: Server,
    client: Client,
    url: String,
}

impl Bench {
    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        let status = answer.status();
        let value: Value = answer.json().await?;
        anyhow::ensure!(status.is_success(), "{path}: {value}");
        Ok(value)
    }

    async fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.send(Method::GET, path, None).await
    }

    async fn post(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        self.send(Method::POST, path, Some(&body)).await
    }

    /// Prints CPU of the server and time of each request.
    async fn each(
        &self,
        what: &str,
        count: usize,
        mut step: impl AsyncFnMut(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (cpu, began) = (self.server.cpu_seconds()?, Instant::now());
        for number in 0..count {
            step(number).await?;
        }
        let per = |seconds: f64| seconds * 1_000.0 / count as f64;
        let (cpu, wall) = (per(self.server.cpu_seconds()? - cpu), per(began.elapsed().as_secs_f64()));
        println!("| {what} | {count} | {cpu:.2} | {wall:.2} |");
        Ok(())
    }

    async fn measure(&self) -> anyhow::Result<()> {
        let row = json!({"type": "object", "properties": {
            "description": {"type": "string"}, "quantity": {"type": "integer"}, "amount": {"type": "number"}
        }});
        let schema = json!({
            "number": {"type": "string", "description": "Invoice number"},
            "day": {"type": "date", "description": "Invoice date"},
            "total": {"type": "number", "description": "Total"},
            "lines": {"type": "array", "items": row}
        });
        let form = self.post("/v1/form", json!({"title": "Invoice", "schema": schema})).await?;
        let form = form["form_id"].as_str().context("the id of the form")?.to_owned();
        let agent = json!({"namespace": "bench", "form_id": form, "review": {"threshold": 1.0}});
        self.post("/v1/agent", agent).await?;
        let mut groups = Vec::new();
        for number in 0..GROUPS[0] {
            groups.push(vec![json!({"url": self.upload(number).await?})]);
        }
        let body = json!(groups);
        let (cpu, began) = (self.server.cpu_seconds()?, Instant::now());
        let run = self.post("/v1/agent/bench/workflow/delta", body).await?;
        let queue = self.get("/v1/reviews?limit=100").await?;
        let values = queue["meta"]["total_items"].as_u64().unwrap_or_default();
        let cpu = self.server.cpu_seconds()? - cpu;
        println!(
            "{} groups gave {values} values to review in {:.1} s ({:.1} ms of CPU a group)\n",
            GROUPS[0],
            began.elapsed().as_secs_f64(),
            cpu * 1_000.0 / GROUPS[0] as f64
        );
        println!("| request | count | CPU ms | wall ms |\n|---|---|---|---|");
        self.reviews(&queue, &run["sid"]).await?;
        self.evaluation(&form, &groups).await
    }

    async fn upload(&self, number: usize) -> anyhow::Result<String> {
        let mut text = format!("Invoice number: B-{number}\nInvoice date: 2026-03-04\n\n");
        text.push_str("| Description | Quantity | Amount |\n|---|---|---|\n");
        for row in 0..ROWS {
            writeln!(text, "| Coil of rope {row} | {} | {}.50 |", row + 1, number % 90 + row)?;
        }
        writeln!(text, "\nTotal: {}.00", ROWS * (number % 90) + 8)?;
        let part = reqwest::multipart::Part::text(text).file_name(format!("{number}.md"));
        let form = reqwest::multipart::Form::new().part("files", part);
        let answer = self.client.post(format!("{}/v1/files", self.url)).multipart(form).send().await?;
        let files: Value = answer.error_for_status()?.json().await?;
        Ok(files[0]["id"].to_string())
    }

    async fn reviews(&self, queue: &Value, sid: &Value) -> anyhow::Result<()> {
        let open = "/v1/reviews?namespace=bench&state=open&limit=100";
        self.each("list 100 open values of an agent", REQUESTS, async |_| self.get(open).await.map(drop))
            .await?;
        let cursor = queue["meta"]["next_cursor"].as_str().unwrap_or_default();
        let next = format!("{open}&cursor={cursor}");
        self.each("the next 100", REQUESTS, async |_| self.get(&next).await.map(drop)).await?;
        let ids: Vec<&Value> =
            queue["reviews"].as_array().into_iter().flatten().map(|review| &review["id"]).collect();
        let decide = |id: &Value, action: &str| json!({"review_id": id, "action": action});
        self.each("save one decision", ids.len(), async |number| {
            let decisions = json!({"decisions": [decide(ids[number], "accept")]});
            self.post("/v1/reviews/decisions", decisions).await.map(drop)
        })
        .await?;
        let all: Vec<Value> = ids.iter().map(|id| decide(id, "reopen")).collect();
        self.each("save 100 decisions", 1, async |_| {
            self.post("/v1/reviews/decisions", json!({"decisions": all})).await.map(drop)
        })
        .await?;
        let stored = format!("/v1/agent/bench/workflow/delta?sid={sid}&limit=100&reviews=true");
        self.each("read 100 responses with reviews", REQUESTS / 4, async |_| {
            self.get(&stored).await.map(drop)
        })
        .await
    }

    async fn evaluation(&self, form: &str, groups: &[Vec<Value>]) -> anyhow::Result<()> {
        let set = self.post("/v1/evaluation_sets", json!({"name": "Bench", "form_id": form})).await?;
        let path = format!("/v1/evaluation_sets/{}", set["id"].as_str().context("the id of the set")?);
        let group = |(number, documents): (usize, &Vec<Value>)| {
            let lines: Vec<Value> = (0..ROWS)
                .map(|row| {
                    let amount = (number % 90 + row) as f64 + 0.5;
                    json!({"description": format!("Coil of rope {row}"), "quantity": row + 1, "amount": amount})
                })
                .collect();
            let record = json!({
                "number": format!("B-{number}"), "day": "2026-03-04", "total": ROWS * (number % 90) + 8, "lines": lines
            });
            json!({"documents": documents, "record": record})
        };
        let groups: Vec<Value> = groups.iter().take(GROUPS[1]).enumerate().map(group).collect();
        self.post(&format!("{path}/groups"), json!({"groups": groups})).await?;
        let mut runs = Vec::new();
        for _ in 0..2 {
            let begun = self.post(&format!("{path}/evaluations"), json!({"namespace": "bench"})).await?;
            let one = format!("{path}/evaluations/{}", begun["sid"]);
            while self.get(&one).await?["open"] != 0 {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            runs.push((one, begun["sid"].to_string()));
        }
        let [(_, base), (one, _)] = runs.as_slice() else { anyhow::bail!("two evaluations") };
        self.each("scores of 500 groups", 10, async |_| self.get(one).await.map(drop)).await?;
        let compared = format!("{one}?base={base}");
        self.each("scores of 500 groups beside another run", 10, async |_| {
            self.get(&compared).await.map(drop)
        })
        .await?;
        let scores = self.get(&compared).await?;
        println!("\naccuracy {}, compared {}", scores["accuracy"]["value"], scores["comparison"]);
        Ok(())
    }
}
