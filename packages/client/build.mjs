// Writes dist for `npm pack`: the types of today's openapi.yaml, and the modules with their declarations.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = import.meta.dirname
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
await import('./types.mjs')
rmSync(join(folder, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' })
