import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import Anthropic from '@anthropic-ai/sdk'
import t, { type Test } from '../../../test/tap.js'

const run = (t: Pick<Test, 'teardown'>, ...names: string[]) => {
  const child = spawn(process.execPath, ['packages/sandbox/steward-sandbox.mjs', ...names])
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

t.test('the command starts what it is asked for, says where it is, and ends it with itself', async (t) => {
  const child = run(t, 'smtp', 'anthropic', 'aws')
  const lines: { name: string, url: string, control_url?: string }[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(JSON.parse(line))
    if (lines.length === 3) break
  }
  t.same(lines.map(({ name }) => name), ['anthropic', 'aws', 'smtp'])
  for (const { url } of lines) t.equal(new URL(url).hostname, '127.0.0.1')
  const [anthropic] = lines
  const client = new Anthropic({ baseURL: anthropic?.url, apiKey: 'sandbox' })
  const { content } = await client.messages.create(
    { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] })
  t.match(content, [{ type: 'text', text: String }])
  t.equal((await fetch(`${anthropic?.control_url}/reset`, { method: 'POST' })).status, 200)
  child.kill('SIGTERM')
  t.same(await once(child, 'close'), [0, null])
  await t.rejects(fetch(String(anthropic?.url)))
})

t.test('a name that is none ends it before anything listens', async (t) => {
  const child = run(t, 'aws', 'azure')
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => { out += text.toString() })
  child.stderr.on('data', (text: Buffer) => { err += text.toString() })
  t.same(await once(child, 'close'), [1, null])
  t.equal(out, '')
  t.equal(err, 'There is no sandbox named azure; there are anthropic, aws, codehost, openid, slack, smtp\n')
})
