import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../app.js'
import { readConfig } from '../plugins/config.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'

/**
 * One conversation of many turns, each of which reads 24 KB, with all tools and a window of 200,000 tokens: what its
 * requests weigh, and how much of them comes from the cache. By hand:
 *
 *   node deploy/build.mjs bench && node dist/bench/long-session.js [turns] [tokens of the same text, times the usual]
 *
 * The sandbox refuses, as the API does, what is too long by its own count, a call without its result, a wrong order.
 */
const turns = Number(process.argv[2] ?? 1_000)
const weight = Number(process.argv[3] ?? 1)

type App = Awaited<ReturnType<typeof build>>

const ADMIN_TOKEN = 'bench-admin-token-0123456789-abcdefghijklmnop'
const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }

const limits = {
  budget_run_usd: 1e6, budget_session_usd: 1e6, budget_user_day_usd: 1e6, requests_per_minute: 1e6
}

const addProjects = async (app: App): Promise<void> => {
  for (let index = 0; index < 24; index++) {
    const payload = { name: `project ${index}`, description: `${index} words `.repeat(110) }
    await app.inject({ method: 'POST', url: '/account/projects', headers, payload })
  }
}

const answers = [
  { content: [{ type: 'tool_use' as const, name: 'listProjects', input: { limit: 100 } }] },
  { content: [{ type: 'text' as const, text: 'They are read, and nothing in them has changed.' }] }
]

const readUsage = async (app: App) => {
  const rows = await app.db.selectFrom('agent_usage').selectAll().orderBy('created_at').execute()
  return rows.map((row) => {
    const [fresh, cached, written] = [row.input_tokens, row.cache_read_tokens, row.cache_write_tokens].map(Number)
    const all = (fresh ?? 0) + (cached ?? 0) + (written ?? 0)
    return { all, cached: cached ?? 0, cost: Number(row.cost_usd_micros) }
  })
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

const report = (name: string, rows: Awaited<ReturnType<typeof readUsage>>, count: number): void => {
  const all = sum(rows.map((row) => row.all))
  const cached = Math.round(100 * sum(rows.map((row) => row.cached)) / all)
  const cents = (sum(rows.map(({ cost }) => cost)) / count / 10_000).toFixed(2)
  const most = Math.max(...rows.map((row) => row.all))
  const turn = `${Math.round(all / count)} tokens a turn`
  console.log(`${name}: ${turn}, ${cached} % cached, ${cents} cents, at most ${most} a call`)
}

const folder = mkdtempSync(join(tmpdir(), 'steward-long-'))
const anthropic = await startAnthropicSandbox({ delayMs: 0 })
anthropic.control.set({ token_weight: weight })
const app = await build(readConfig({
  DATA_DIR: folder,
  ADMIN_TOKEN,
  SECRET_KEY: 'bench-secret-key-0123456789-abcdefghijklmnop',
  LOG_LEVEL: 'silent',
  PORT: '0',
  ANTHROPIC_API_KEY: 'bench',
  ANTHROPIC_BASE_URL: anthropic.url,
  LIMITS: JSON.stringify(limits)
}), false)
await app.ready()
await addProjects(app)

let session: string | undefined
let compacted = 0
const calls: number[] = []
for (let turn = 0; turn < turns; turn++) {
  const message = `please look at the projects, ${turn}`
  anthropic.control.script({ turns: answers })
  const payload = { message, wait_s: 0, ...(session && { session_id: session }) }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/chat', payload, headers })
  session = String(answer.headers['steward-session-id'])
  if (!/"status":"completed"/.test(answer.payload)) throw new Error(`Turn ${turn}: ${answer.payload.slice(-600)}`)
  compacted += answer.payload.split('event: compacted').length - 1
  calls.push(Number(/"model_calls":(\d+)/.exec(answer.payload)?.[1]))
}
const rows = await readUsage(app)
for (const at of [20, 100, 200, 500, 1_000].filter((turn) => turn <= turns)) {
  const before = sum(calls.slice(0, at - 20))
  report(`turns ${at - 19} to ${at}`, rows.slice(before, sum(calls.slice(0, at))), 20)
}
console.log(`${turns} turns, ${rows.length} model calls, compacted ${compacted} times`)
await app.close()
await anthropic.close()
rmSync(folder, { recursive: true, force: true })
