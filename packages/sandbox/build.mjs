// Writes dist for `npm pack`: the command and the package's entries as JavaScript, without types.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = import.meta.dirname
rmSync(join(folder, 'dist'), { recursive: true, force: true })
const input = { command: 'src/command.ts', index: 'src/index.ts' }
for (const name of ['anthropic', 'aws', 'codehost', 'openid', 'push', 's3', 'sites', 'slack', 'smtp', 'toolserver']) {
  input[`${name}/index`] = `src/${name}/index.ts`
}
// What is not a file of ours is a dependency, or Node's.
const build = await rolldown({ cwd: folder, input, platform: 'node', external: /^[^./]/, logLevel: 'warn' })
await build.write({ dir: join(folder, 'dist'), format: 'esm' })
await build.close()
