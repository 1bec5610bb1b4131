import { join } from 'node:path'
import { defineConfig } from 'vite'

const packages = join(import.meta.dirname, '..', 'packages')

/** Relative URLs: the client works under any path prefix of a proxy. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  // The sources of a package: what npm links would be what is published of it.
  resolve: { alias: [{ find: /^steward-([a-z-]+)$/, replacement: join(packages, '$1', 'src', 'index.ts') }] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each with all that it stands on: a small file for each part that pages share costs the first page a dozen
          // requests, more than they save any other page.
          groups: [
            { name: 'main', test: /web[\\/]main\.tsx$/, priority: 2 },
            { name: 'chat', test: /pages[\\/]chat[\\/]index\.tsx$/, priority: 1 }
          ]
        }
      }
    }
  }
})
