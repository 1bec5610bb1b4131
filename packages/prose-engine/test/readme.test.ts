import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from '../../../test/tap.js'

const readme = readFileSync(join(process.cwd(), 'packages/prose-engine/README.md'), 'utf8')
const fenced = (language: string): string => readme.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

t.test('the example of the README says what it prints', async (t) => {
  const code = fenced('ts')
  t.match(code, 'operations.report')
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code],
    { cwd: join(process.cwd(), 'dist'), encoding: 'utf8' })
  t.equal(printed, fenced('text'))
})
