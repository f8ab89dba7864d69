// Builds the pages of the portal into dist/portal; scripts/setup.mjs runs it.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const LIBRARIES = /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/[\w-]+)\//
const PARTS =
  /portal\/src\/(api\/curl|ui\/(actions|buttons|data-table|edit|facts|filters|form|list|time))\.tsx?$/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/portal', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // an inline script or style would need an exception in the policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // what most pages are made of comes in one file: each further one is a call of its own
        codeSplitting: {
          groups: [
            { name: 'libraries', test: LIBRARIES, priority: 2 },
            { name: 'parts', test: PARTS, priority: 1 },
          ],
        },
      },
    },
  },
})
