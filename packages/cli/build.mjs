// Writes dist for `npm pack`: one file of the command and of the client that it is made of, and the licence of what the
// client takes from others.
import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = import.meta.dirname
const dist = join(folder, 'dist')
const client = join(folder, '..', 'client', 'src', 'index.ts')

rmSync(dist, { recursive: true, force: true })
const build = await rolldown({
  input: join(folder, 'src', 'index.ts'),
  platform: 'node',
  resolve: { alias: { 'steward-client': client }, extensionAlias: { '.js': ['.ts', '.js'] } },
  logLevel: 'warn'
})
await build.write({ file: join(dist, 'command.js'), format: 'esm' })
await build.close()
const entry = createRequire(client).resolve('openapi-fetch')
copyFileSync(join(dirname(entry), '..', 'LICENSE'), join(dist, 'openapi-fetch.LICENSE'))
