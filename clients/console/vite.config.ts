import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { packed } from "./scripts/packed.ts";

const server = process.env.FORMWORK_URL ?? "http://127.0.0.1:8080";
/** Where the files go: into the server, or elsewhere to be compared with them. */
const outDir = process.env.CONSOLE_OUT ?? "../../bins/formwork/assets/console";

export default defineConfig({
  base: "/console/",
  plugins: [react(), packed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: "app-[hash].js",
        assetFileNames: "app-[hash][extname]",
      },
    },
  },
  server: {
    port: 5183,
    proxy: { "^/(v1|v2|files|thumbnails|health|ready)": { target: server, changeOrigin: true } },
  },
});
