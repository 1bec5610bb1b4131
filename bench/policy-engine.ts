import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { compile } from '../lib/policies/in-process.js'
import { judge } from '../lib/policies/judge.js'
import type { PolicyInput } from '../lib/policies/policy-input.js'
import { median } from './lib/numbers.js'
import { startSteward, timesOf } from './lib/steward.js'

/** What one process measured, in milliseconds, by the routes that people call but for `judge`. */
export interface PolicyFigures {
  policies: number
  decisions: number
  /** One write judged by all policies, warm: at the median, and the slowest of a hundred. */
  judge: { p50Ms: number, p99Ms: number }
  /** A draft of all policies over all decisions, and how many of these it judged. */
  replay: { firstMs: number, ms: number, judged: number }
  /** A write that a person makes directly, without policies and with all of them. */
  write: { noneMs: number, manyMs: number }
}

const policies = 100
const decisions = 1_000
const rounds = 300

/** A tenth ask for two people, a tenth let run, a tenth forbid; each looks at something else. */
const policyOf = (number: number): string => {
  const on = `context.args has desired_count && context.args.desired_count == ${number + 100}`
  if (number % 10 === 0) {
    return `@outcome("approve")@approvals("2") permit (principal, action, resource) when { ${on} };`
  }
  if (number % 10 === 1) return `@outcome("run") permit (principal, action, resource) when { ${on} };`
  if (number % 10 === 2) return `forbid (principal, action, resource) when { ${on} };`
  return `@outcome("approve") permit (principal, action == Action::"scaleService", resource) when {
    resource has environment && resource.environment == "env-${number}" && context.hour >= ${number % 24} };`
}

const text = Array.from({ length: policies }, (_, number) => `@id("p${number}")${policyOf(number)}`).join('\n')

const { app, call, stop } = await startSteward()

const writeMs = async (): Promise<number> =>
  median(await timesOf(rounds, () => call('POST', '/account/projects', { name: randomUUID() })))

/** What people decided, each in a session of its own. */
const seedDecisions = async (): Promise<void> => {
  const { workspace_id: workspace, admin_id: user } = app.home
  const target = '{"kind":"ecs_service","id":"web","within":{"environment":"env-5"}}'
  await sql`insert into agent_prompt (workspace_id, hash, text) values (${workspace}, 'none', '')`.execute(app.db)
  await sql`insert into agent_session
    (workspace_id, id, user_id, title_source, model, system_hash, budget_usd_micros)
    select ${workspace}, gen_random_uuid(), ${user}, 'none', 'm', 'none', 0
    from generate_series(1, ${decisions}::integer)`.execute(app.db)
  await sql`insert into agent_confirmation
    (workspace_id, id, kind, user_id, session_id, run_id, tool_call_id, status, name, arguments, summary, preview, risk,
      editable, input_digest, target, facts, requested_at, expires_at, decided_at, decided_by)
    select ${workspace}, gen_random_uuid(), 'tool', ${user}, id, gen_random_uuid(), gen_random_uuid(), 'approved',
      'scaleService', '{"service":"web","desired_count":105}', 'Scale to 105', '[]', 'medium', '[]', 'x',
      ${target}::json, '{}', now(), now(), now(), ${user}
    from agent_session where workspace_id = ${workspace}`.execute(app.db)
}

const input = (): PolicyInput => {
  const tool = app.tools.find('scaleService')
  if (!tool) throw new Error('There is no tool scaleService')
  return {
    person: { id: app.home.admin_id, role: 'admin', groups: [], via: 'assistant', assistant: true, token: null },
    tool,
    target: { kind: 'ecs_service', id: 'web', within: { environment: 'env-5' } },
    arguments: { service: 'web', desired_count: 105 },
    changes: [{ label: 'Desired count', before: '2', after: '105' }],
    risk: 'medium',
    tainted: false,
    trigger: false,
    at: new Date()
  }
}

const measureJudge = async (): Promise<PolicyFigures['judge']> => {
  const compiled = await compile(text, {})
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  const judged = input()
  const work = () => judge(compiled.set, 1, judged)
  await timesOf(rounds, work)
  const times = await timesOf(rounds * 10, work)
  return { p50Ms: median(times), p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN }
}

const measureReplay = async () => {
  const replay = () => call('POST', '/account/policies/replay', {})
  const { digest, counts } = await replay()
  return { digest, ms: median(await timesOf(5, replay)), judged: counts.decisions - counts.lacking }
}

await timesOf(rounds, () => call('POST', '/account/projects', { name: randomUUID() }))
const noneMs = await writeMs()
await seedDecisions()
await call('PUT', '/account/policies', { text, examples: [] })
const firstMs = median(await timesOf(1, () => call('POST', '/account/policies/replay', {})))
const { digest, ...replay } = await measureReplay()
await call('POST', '/account/policies/enable', { digest })
await writeMs()
const manyMs = await writeMs()
const judged = await measureJudge()

await stop()

const figures: PolicyFigures = {
  policies, decisions, judge: judged, replay: { firstMs, ...replay }, write: { noneMs, manyMs }
}
process.stdout.write(JSON.stringify(figures))
