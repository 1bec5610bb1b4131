import { Writable } from 'node:stream'
import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { makeEnvironment } from '../app.js'

/** @returns what a start with these settings warns of, the missing web client of a bare build aside */
const warningsOf = async (settings: Record<string, string>): Promise<string[]> => {
  const warnings: string[] = []
  const stream = new Writable({ write: (line, _, next) => { warnings.push(JSON.parse(String(line)).msg); next() } })
  const app = await build(readConfig(await makeEnvironment(t, settings)), { level: 'warn', stream })
  await app.ready()
  await app.close()
  return warnings.filter((message) => !message.startsWith('the web client'))
}

const sandboxed = 'sandbox: these providers are sandboxes on loopback, not the real ones'

t.test('a webhook secret was ignored without a word where no code host is named', async (t) => {
  const secret = { CODEHOST_WEBHOOK_SECRET: 'a-secret-of-webhooks' }
  t.same(await warningsOf({}), [sandboxed])
  t.same(await warningsOf(secret), [sandboxed,
    'CODEHOST_WEBHOOK_SECRET is not used: no code host is named (CODEHOST_CLIENT_ID or CODEHOST_URL)'])
  t.same(await warningsOf({ PUBLIC_URL: 'https://steward.example' }), [sandboxed,
    'no webhook is taken: PUBLIC_URL is not of this machine, and no code host is named (CODEHOST_CLIENT_ID or ' +
    'CODEHOST_URL)'])
  t.same(await warningsOf({ ...secret, CODEHOST_URL: 'http://127.0.0.1:9' }), [sandboxed], 'it is the named host\'s')
})
