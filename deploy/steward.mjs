#!/usr/bin/env node
// The command `steward`: alone, and with a server's commands, the server that was built; else a client of one. Node 22
// and later keep the compiled code, where they may write.
import module from 'node:module'
import { join } from 'node:path'

module.enableCompileCache?.(join(import.meta.dirname, '..', 'dist', 'compiled'))

const [name] = process.argv.slice(2)
const { names, run } = name === undefined ? {} : await import('../dist/bundle/command.js')
if (names?.has(name)) process.exitCode = await run(process.argv.slice(2))
else await import('../dist/bundle/server.js')
