#!/usr/bin/env node
// The command `steward-sandbox [NAME…]`: starts emulators on loopback, prints one line of JSON for each, and ends them
// at SIGINT or SIGTERM. In a package that is packed dist lies here, in the repository `npm run build` makes it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const built = join(import.meta.dirname, 'dist', 'command.js')
const inRepository = join(import.meta.dirname, '..', '..', 'dist', 'packages', 'sandbox', 'src', 'command.js')
const { startAll } = await import(pathToFileURL(existsSync(built) ? built : inRepository).href)
try {
  const started = await startAll(process.argv.slice(2))
  for (const { line } of started) console.log(JSON.stringify(line))
  const end = () => Promise.all(started.map(({ close }) => close())).then(() => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
