// Shows whether this server is ready, and the first request with its address. Nothing else is asked.

const find = (id) => document.getElementById(id);
const base = new URL(".", location.href).href.replace(/\/$/, "");
find("first").textContent = `curl ${base}/v1/me -H "X-Service-Key: $FORMWORK_KEY"`;

function show(text, ready) {
  find("state").textContent = text;
  find("state").className = ready ? "ok" : "bad";
}

try {
  const answer = await fetch("./ready");
  const { errors = [] } = await answer.json();
  show(answer.ok ? "Ready" : ["Not ready", ...errors.map((error) => error.message)].join(": "), answer.ok);
} catch {
  show("No answer", false);
}
