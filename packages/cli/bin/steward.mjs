#!/usr/bin/env node
// The command `steward` without the server, which is in the package `steward`.
import { readFileSync } from 'node:fs'
import { run } from '../dist/command.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
process.exitCode = await run(process.argv.slice(2), { version })
