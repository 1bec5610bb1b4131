#!/usr/bin/env node
// The command `steward`: `steward serve` is the server that was built, and the rest are commands of a terminal, which
// talk to a server. Node 22 and later keep the compiled code, where they may write.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

module.enableCompileCache?.(join(import.meta.dirname, '..', 'dist', 'compiled'))

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
const { run } = await import('../dist/bundle/command.js')
const code = await run(process.argv.slice(2), {
  version,
  server: (words) => {
    process.argv.splice(2, Infinity, ...words)
    return import('../dist/bundle/server.js')
  }
})
if (code !== undefined) process.exitCode = code
