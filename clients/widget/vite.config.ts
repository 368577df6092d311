import { defineConfig } from "vite";
import { packed } from "./scripts/packed.ts";

/** Where the file goes: into the server, or elsewhere to be compared with it. */
const outDir = process.env.WIDGET_OUT ?? "../../bins/formwork/assets/widget";

export default defineConfig({
  plugins: [packed()],
  json: { stringify: false },
  build: {
    outDir,
    // The page of the server is there, too.
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "FormworkWidget", fileName: () => "widget.js" },
  },
});
