import { pathToFileURL } from 'node:url'
import { root, within } from './tap.js'

/**
 * Runs test files one after another in one process: what starts a Steward the second time takes a third of the time,
 * since its modules are there and V8 has compiled them. An argument is an entry of the bundle, and its name.
 */
const fileMs = 600_000
const files = process.argv.slice(2).map((argument) => argument.split('='))
root.setTimeout(files.length * fileMs)
for (const [entry = '', name = entry] of files) {
  root.test(name, { timeout: fileMs }, async (t) => {
    within(t)
    await import(pathToFileURL(entry).href)
  })
}
