import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Failure } from "./api.ts";
import { App } from "./app.tsx";
import { apply } from "./theme.ts";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/runs.css";
import "./styles/forms.css";
import "./styles/conversations.css";
import "./styles/playground.css";
import "./styles/usage.css";
import "./styles/knowledge.css";
import "./styles/operations.css";

apply();
// The library would put a style into the page, which the policy of the server forbids, unless it finds this one;
// `base.css` has the rule.
const rule = document.createElement("meta");
rule.id = "react-aria-pressable-style";
document.head.append(rule);

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A server that restarts is waited for; what it refuses is not asked again.
      retry: (count, error) => count < 8 && error instanceof Failure && [0, 502, 503].includes(error.status),
      retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
    },
  },
});

const root = document.getElementById("app");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
