import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { sql } from 'kysely'
import { asAdmin } from '../../app.js'
import { framesOf } from '../../chat.js'
import { makeWorkspace } from '../account/actors.js'
import { makeLongSession, readTurn, speech } from './long-session.js'

const small = 'claude-haiku-5-5'
const { app, anthropic, say } = await makeLongSession(t, 48_000, { ANTHROPIC_SMALL_MODEL: small })

const usage = { input_tokens: 1_000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const entitle = async (headers: Record<string, string>) => {
  anthropic.control.script({
    turns: [{ content: [{ type: 'text', text: 'A title' }], usage }], match: { title: true }
  })
  const messages = [{ role: 'user', content: 'How are my services?' }]
  await app.inject({ method: 'POST', url: '/api/v1/agent/generate-title', headers, payload: { messages } })
  const { rows } = await sql<{ model: string, cost: number }>`select model, cost_usd_micros as cost from agent_usage
    where purpose = 'title' order by id desc limit 1`.execute(app.db)
  return rows[0]
}

t.test('the small model writes titles, at its own price', async (t) => {
  t.same(await entitle(asAdmin), { model: small, cost: 1_000 * 1 + 10 * 5 })
})

t.test('a workspace with a model of its own is asked with that alone', async (t) => {
  const own = await makeWorkspace(app, 'Own')
  const payload = { settings: { model: 'claude-opus-5-5' } }
  await app.inject({ method: 'PATCH', url: `/account/workspaces/${own.id}`, headers: asAdmin, payload })
  t.same(await entitle(own.headers), { model: 'claude-opus-5-5', cost: 1_000 * 5 + 10 * 25 })
})

t.test('the small model writes the notes of a compaction, and the conversation stays with its own', async (t) => {
  const { session } = await say([readTurn, speech])
  let compacted = 0
  for (let turn = 0; turn < 60 && compacted === 0; turn++) {
    const { frames } = await say([readTurn, speech], session)
    compacted = framesOf(frames, 'compacted').length
  }
  const bodies = anthropic.control.requests().map(({ body }) => body as MessageCreateParamsBase | undefined)
  const notes = bodies.filter((body) => JSON.stringify(body?.system ?? '').includes('keep notes of a conversation'))
  t.same([compacted, notes.map((body) => body?.model)], [1, [small]])
  const { rows } = await sql<{ model: string }>`select distinct model from agent_usage where session_id = ${session}
    order by model`.execute(app.db)
  t.same(rows, [{ model: small }, { model: 'claude-sonnet-5-5' }])
})
