import { v7 as uuid } from 'uuid'
import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { putPolicies, replayPolicies } from '../../policies.js'

const app = await workspace(t)
const workspace_id = app.home.workspace_id
const user_id = app.home.admin_id

/** A decision of the seeded history; `at` counts minutes. */
interface Seed {
  name?: string
  environment: string
  count: number
  approved: boolean
  target?: boolean
  hour: number
  tainted?: boolean
}

const preview = (count: number) => JSON.stringify([{ label: 'Desired count', before: '2', after: String(count) }])

/** Of 1,000 decisions, by their number: what they were about, and how they went. */
const seedOf = (index: number): Seed => ({
  environment: index % 4 === 0 ? 'production' : 'staging',
  count: index % 10,
  approved: index % 5 !== 0,
  hour: index % 24,
  tainted: index % 50 === 1,
  ...(index % 100 === 99 && { target: false }),
  ...(index % 100 === 98 && { name: 'toolThatIsGone' })
})

const seeds = Array.from({ length: 1_000 }, (_, index) => seedOf(index))

const insert = async (seed: Seed, index: number) => {
  const [session_id, run_id] = [uuid(), uuid()]
  const requested_at = new Date(Date.UTC(2026, 0, 5 + Math.floor(index / 24), seed.hour, 30))
  const target = { kind: 'ecs_service', id: 'web', within: { environment: seed.environment } }
  await app.db.insertInto('agent_session').values({
    workspace_id,
    id: session_id,
    user_id,
    title: null,
    title_source: 'none',
    model: 'm',
    system_hash: 'none',
    budget_usd_micros: 0
  }).execute()
  await app.db.insertInto('agent_run').values({
    workspace_id,
    id: run_id,
    session_id,
    user_id,
    principal: JSON.stringify({ scopes: null }),
    status: 'completed',
    reason: null,
    wake_at: requested_at,
    idempotency_key: null,
    request_hash: null,
    budget_usd_micros: 0,
    lease_owner: null
  }).execute()
  if (seed.tainted) {
    await app.db.insertInto('agent_tool_call').values({
      workspace_id,
      id: uuid(),
      run_id,
      session_id,
      message_id: uuid(),
      step: 1,
      ordinal: 0,
      tool_use_id: 'a',
      name: 'getServiceLogs',
      tool_version: '1',
      effect: 'read',
      input: '{}',
      input_digest: 'x',
      status: 'succeeded',
      decided_by: 'policy',
      idempotency_key: uuid(),
      claim_epoch: null,
      http_status: 200,
      result: '{}',
      result_model: '{}',
      finished_at: new Date(requested_at.getTime() - 1_000)
    }).execute()
  }
  await app.db.insertInto('agent_confirmation').values({
    workspace_id,
    id: uuid(),
    kind: 'tool',
    user_id,
    session_id,
    run_id,
    tool_call_id: uuid(),
    status: seed.approved ? 'approved' : 'rejected',
    close_reason: null,
    name: seed.name ?? 'scaleService',
    arguments: JSON.stringify({ service: 'web', desired_count: seed.count }),
    summary: `Scale to ${seed.count}`,
    preview: preview(seed.count),
    risk: 'medium',
    editable: '[]',
    input_digest: 'x',
    target: seed.target === false ? null : JSON.stringify(target),
    facts: seed.target === false ? null : '{}',
    replaces: null,
    reason: null,
    requested_at,
    expires_at: requested_at,
    decided_at: new Date(requested_at.getTime() + 60_000),
    decided_by: user_id
  }).execute()
}

/** What the policies below say, without Cedar. */
const expectedOf = (seed: Seed) => {
  if (seed.name !== undefined || seed.target === false) return 'lacking'
  if (seed.hour >= 22) return 'forbid'
  if (seed.environment === 'production') return 'ask'
  return seed.count < 5 && !seed.tainted ? 'run' : 'unchanged'
}

const text = `@id("night")
forbid (principal, action, resource) when { context.hour >= 22 };
@id("production")@outcome("approve")@approvals("2")
permit (principal, action, resource) when { resource has environment && resource.environment == "production" };
@id("staging")@outcome("run")
permit (principal, action == Action::"scaleService", resource)
when { resource has environment && resource.environment == "staging" && context.args has desired_count &&
  context.args.desired_count < 5 };`

const countOf = (outcome: string, isMeant: (seed: Seed) => boolean = () => true) =>
  seeds.filter((seed) => expectedOf(seed) === outcome && isMeant(seed)).length

t.test('a replay of 1,000 decisions says exactly what the draft would have done, and lists each case', async (t) => {
  await app.db.insertInto('agent_prompt').values({ workspace_id, hash: 'none', text: '' })
    .onConflict((conflict) => conflict.doNothing()).execute()
  for (const [index, seed] of seeds.entries()) await insert(seed, index)
  const { draft } = (await putPolicies(app, text)).json()
  const first = (await replayPolicies(app, { outcome: 'run', limit: 100 })).json()
  const counts = {
    decisions: 1_000,
    lacking: countOf('lacking'),
    run: { total: countOf('run'), rejected: countOf('run', ({ approved }) => !approved) },
    forbid: { total: countOf('forbid'), approved: countOf('forbid', ({ approved }) => approved) },
    ask: [{ approvals: 2, total: countOf('ask') }],
    unchanged: countOf('unchanged')
  }
  t.same(first.counts, counts)
  t.ok(counts.run.rejected > 0 && counts.forbid.approved > 0 && counts.lacking === 20)
  const shown = (await app.inject({ url: '/account/policies', headers: asAdmin })).json()
  t.same([shown.draft.replay, shown.draft.digest], [counts, draft.digest], 'the draft keeps what it said')

  const items = [...first.items]
  for (let { next_cursor: cursor } = first; cursor !== null;) {
    const page = (await replayPolicies(app, { outcome: 'run', limit: 100, cursor })).json()
    items.push(...page.items)
    cursor = page.next_cursor
  }
  t.equal(new Set(items.map(({ confirmation_id: id }) => id)).size, counts.run.total, 'all pages together')
  const [item] = items
  t.match(item, {
    tool: 'scaleService',
    risk: 'medium',
    target: { kind: 'ecs_service', id: 'web', within: { environment: 'staging' } },
    requested_by: user_id,
    decided_by: user_id,
    outcome: 'run',
    lacking: null,
    verdict: { outcome: 'run', reason: null, requirement: null, policies: ['staging'], errors: [] }
  })
  const lacking = (await replayPolicies(app, { outcome: 'lacking', limit: 100 })).json()
  t.same([...new Set(lacking.items.map(({ lacking: what }: { lacking: string }) => what))].sort(),
    ['the target, which was not stored then', 'the tool toolThatIsGone, which is gone'])
  t.ok(lacking.items.every(({ verdict }: { verdict: null }) => verdict === null), 'nothing is guessed')
  const all = (await replayPolicies(app, { limit: 100 })).json()
  t.ok(all.items.every(({ outcome }: { outcome: string }) => outcome !== 'unchanged'))
})
