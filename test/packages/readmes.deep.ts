import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'rolldown/utils'
import t, { type Test } from '../tap.js'
import { adminToken } from '../app.js'
import { startChatApp } from '../chat.js'

const { url } = await startChatApp(t)

const packages = readdirSync('packages', { withFileTypes: true }).filter((one) => one.isDirectory())
  .map(({ name }) => name)

/** @returns the first block of that language in the package's README */
const blockOf = (name: string, language: string): string => {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms')
  return block.exec(readFileSync(`packages/${name}/README.md`, 'utf8'))?.[1] ?? ''
}

/** Runs the example of a README as a program. @returns what it printed, up to the text if one is awaited */
const runExample = async (t: Pick<Test, 'teardown'>, name: string, awaited?: string) => {
  const source = blockOf(name, 'ts').replace('https://steward.example.com', url)
  const { code, errors } = transformSync('example.ts', source, { lang: 'ts' })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  // There it finds the packages by their names, as a program that has installed them.
  const file = join('dist', 'packages', name, `example-${process.pid}.mjs`)
  writeFileSync(file, code)
  t.teardown(() => rmSync(file))
  const child = spawn(process.execPath, [file],
    { env: { PATH: process.env.PATH, STEWARD_TOKEN: adminToken }, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    if (awaited !== undefined && out.includes(awaited)) child.kill()
  })
  await new Promise((resolve) => child.once('close', resolve))
  return out
}

for (const name of packages.filter((name) => name !== 'client')) {
  t.test(`the example of ${name} prints what its README says`, async (t) => {
    const should = blockOf(name, 'text')
    t.ok(should.length > 0)
    t.equal(await runExample(t, name), should)
  })
}

t.test('the example of the client talks to a server until a person is asked', async (t) => {
  const asked = 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4'
  t.match(await runExample(t, 'client', asked), asked)
})
