import type { Test } from '../../../tap.js'
import { asAdmin } from '../../../app.js'
import { framesOf, textOf, until } from '../../../chat.js'
import { broken, silent, speech, tale, type Sandbox, type startCloudApp } from './cloud.js'

export interface Cloud extends Awaited<ReturnType<typeof startCloudApp>> { name: string, anthropic: Sandbox }

type Fault = Parameters<Sandbox['control']['fault']>[0]

/** What a client had before a stream broke. */
export const part = { text: 'Grüße, 12 ' }

export const inStream = (error_type: string): Fault => ({ kind: 'stream_error', error_type, after_events: 5 })

/** What any connection may do. */
const common: [string, Fault, unknown[]][] = [
  ['resets the connection', { kind: 'reset' }, [broken]],
  ['never answers', { kind: 'no_response' }, [silent]],
  ['is cut off', { kind: 'cut', after_events: 5 }, [part, broken, 'reset']],
  ['ends before it is done', { kind: 'eof', after_events: 5 }, [part, broken, 'reset']],
  ['hangs', { kind: 'hang', after_events: 5 }, [part, silent, 'reset']],
  ['sends what is not JSON', { kind: 'malformed_json', after_events: 5 }, [part, broken, 'reset']]
]

/** @param own faults of this cloud, each with what the client is shown first */
export const tryRepeats = (t: Test, { name, anthropic, say }: Cloud, own: [string, Fault, unknown[]][]): void => {
  for (const [what, fault, reported] of [...own, ...common]) {
    t.test(`${name} ${what}: the call is repeated, and the answer is whole`, async (t) => {
      anthropic.control.fault(fault)
      const reply = await say([speech, speech])
      t.same(tale(reply).slice(0, reported.length), reported)
      t.equal(textOf(reply.frames), 'Grüße, 12 services are fine 🚀.')
      t.equal(reply.asked.length, 2)
    })
  }
}

/** @param endings faults after which nothing is repeated, each with the code of its error */
export const tryEndings = (t: Test, { name, anthropic, say }: Cloud, endings: [string, Fault, string][]): void => {
  for (const [what, fault, code] of endings) {
    t.test(`${name} ${what}: the run ends with ${code}, and nothing is repeated`, async (t) => {
      anthropic.control.fault(fault)
      const { frames, asked } = await say([speech])
      t.match(framesOf(frames, 'error').at(-1)?.data, { code, fatal: true })
      t.equal(asked.length, 1)
    })
  }
}

export const tryCancel = (t: Test, { app, anthropic, say }: Cloud) =>
  t.test('a run is cancelled in the middle of an answer, and the connection is closed', async (t) => {
    const call = say([{ ...speech, fault: { kind: 'hang', after_events: 5 } }])
    const run = await until(async () => {
      const row = await app.db.selectFrom('agent_run').select('id').where('status', '=', 'running').executeTakeFirst()
      return anthropic.control.requests().length > 0 && row?.id
    })
    await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run}/cancel`, payload: {}, headers: asAdmin })
    const { frames, asked } = await call
    t.match(framesOf(frames, 'done').at(-1)?.data, { status: 'cancelled' })
    await until(() => asked[0]?.outcome === 'fault:hang')
  })

/** @param model that is configured */
export const tryModels = (t: Test, { name, app, anthropic }: Cloud, model: string) =>
  t.test(`the models of the configuration are shown, as ${name} lists none in this form`, async (t) => {
    const answer = await app.inject({ url: '/api/v1/agent/models', headers: asAdmin })
    t.match(answer.json(),
      { items: [{ id: model, is_default: true, is_listed: false, is_priced: true }], complete: false })
    t.same(anthropic.control.listings(), [])
  })
