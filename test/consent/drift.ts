import type { Test } from '../tap.js'
import type { Tool } from '../../lib/tools/tool.js'
import { asAdmin, type App } from '../app.js'
import { confirm, until } from '../chat.js'
import { planOf } from '../plan.js'
import type { Arranged, ConsentCase } from './case.js'
import { variantOf } from './variants.js'

export interface Proposed {
  tool_call_id: string
  session_id: string
  status: string
  result: unknown
  confirmation: { id: string, status: string, replaces: string | null, summary: string, input_digest: string } | null
}

const url = '/api/v1/agent/tool-calls'

export const propose = async (app: App, name: string, args: object): Promise<Proposed> => {
  const answer = await app.inject({ method: 'POST', url, headers: asAdmin, payload: { name, arguments: args } })
  if (answer.statusCode !== 202) throw new Error(`${name}: ${answer.payload}`)
  return answer.json()
}

export const readCall = async (app: App, { tool_call_id: id }: Proposed): Promise<Proposed> =>
  (await app.inject({ url: `${url}/${id}`, headers: asAdmin })).json()

export const decide = (app: App, { session_id }: Proposed, confirmation_id = '') =>
  confirm(app, { session_id, confirmation_id, approved: true })

const waiting = ['awaiting', 'approved', 'dispatching']

const readUntil = (app: App, call: Proposed, holds: (now: Proposed) => boolean): Promise<Proposed> => {
  let now = call
  return until(async () => {
    now = await readCall(app, call)
    return holds(now) && now
  }, () => now)
}

export const ended = (app: App, call: Proposed): Promise<Proposed> =>
  readUntil(app, call, ({ status }) => !waiting.includes(status))

export const reasked = (app: App, call: Proposed): Promise<Proposed> =>
  readUntil(app, call, ({ status, confirmation }) =>
    !waiting.includes(status) || (status === 'awaiting' && confirmation?.id !== call.confirmation?.id))

/** Approves the question that replaced another. @returns how it ended */
const approveNew = async (app: App, call: Proposed, id: string): Promise<Proposed> => {
  const answer = await decide(app, call, id)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return ended(app, call)
}

/** What took effect, against what the record says. */
const agrees = async (t: Test, { executed }: Arranged, { status, result }: Proposed, name: string) =>
  t.equal(await executed(), status === 'succeeded' ? 1 : 0, `${name}: ${status} ${JSON.stringify(result)}`)

const betweenQuestionAndDecision = async (t: Test, app: App, { tool, arrange }: ConsentCase, drift: string) => {
  const arranged = await arrange(app)
  const call = await propose(app, tool, arranged.args)
  await arranged.drifts[drift]?.()
  const answer = await decide(app, call, call.confirmation?.id)
  t.match([answer.statusCode, answer.json()], [409, { code: 'state_changed' }], `${tool}, ${drift}: decided`)
  t.equal(await arranged.executed(), 0, `${tool}, ${drift}: nothing was done`)
  const { confirmation: next } = answer.json()
  if (next === null) return t.type(answer.json().cause.code, 'string')
  t.match(next, { replaces: call.confirmation?.id })
  t.not(next.input_digest, call.confirmation?.input_digest)
  const again = await decide(app, call, call.confirmation?.id)
  t.match([again.statusCode, again.json().code], [409, 'confirmation_closed'], 'the old question is closed')
  await agrees(t, arranged, await approveNew(app, call, next.id), `${tool}, ${drift}`)
}

/** Lets the state change right before the plan is made for the last time: the third, after question and decision. */
export const beforeLastPlan = (tool: Tool, drift: () => Promise<unknown>, nth = 3) => {
  const { options } = tool
  if (!options) throw new Error(`${tool.name} does not write`)
  const { plan } = options
  let times = 0
  options.plan = async (input, read) => {
    if (++times === nth) await drift()
    return plan(input, read)
  }
  return () => { options.plan = plan }
}

const betweenDecisionAndClaim = async (t: Test, app: App, { tool, arrange }: ConsentCase, drift: string) => {
  const arranged = await arrange(app)
  const found = app.tools.find(tool)
  if (!found) throw new Error(`There is no tool ${tool}`)
  const restore = beforeLastPlan(found, async () => arranged.drifts[drift]?.())
  const call = await propose(app, tool, arranged.args)
  const answer = await decide(app, call, call.confirmation?.id)
  t.equal(answer.statusCode, 200, `${tool}, ${drift}: approved as shown`)
  const now = await reasked(app, call)
  restore()
  t.equal(await arranged.executed(), 0, `${tool}, ${drift}: nothing was done on another state`)
  if (now.status !== 'awaiting') return t.equal(now.status, 'failed', `${tool}, ${drift}: it cannot be done any more`)
  t.match(now.confirmation, { status: 'pending', replaces: call.confirmation?.id })
  await agrees(t, arranged, await approveNew(app, call, now.confirmation?.id ?? ''), `${tool}, ${drift}`)
}

const withoutDrift = async (t: Test, app: App, { tool, arrange }: ConsentCase, change?: string) => {
  const arranged = await arrange(app)
  const call = await propose(app, tool, arranged.args)
  if (change) await arranged.irrelevant?.[change]?.()
  const answer = await decide(app, call, call.confirmation?.id)
  t.equal(answer.statusCode, 200, `${tool}${change ? `, ${change}` : ''}: ${answer.payload.slice(0, 300)}`)
  const end = await ended(app, call)
  t.equal(end.status, 'succeeded', `${tool}: ${JSON.stringify(end.result)}`)
  t.equal(await arranged.executed(), 1, `${tool}: done once, as shown`)
}

/** A plan of pinned arguments is the same plan: nothing is left to resolve. */
const isPinned = async (t: Test, app: App, { tool, arrange }: ConsentCase) => {
  const { args } = await arrange(app)
  const first = await planOf(app, tool, args)
  const again = await planOf(app, tool, first.arguments)
  t.same([again.arguments, again.input_digest], [first.arguments, first.input_digest], `${tool}: pinned`)
}

/** @returns how many fields were changed. Each changed field of query and body is on the card */
const showsEveryField = async (t: Test, app: App, { tool, arrange }: ConsentCase): Promise<number> => {
  const { args, variants = {}, sameBy = [] } = await arrange(app)
  const found = app.tools.find(tool)
  // Tools are made of object schemas.
  const properties = (found?.schema.properties ?? {}) as Record<string, object>
  const before = await planOf(app, tool, args)
  let tried = 0
  for (const name of found?.settings.keys() ?? []) {
    if (sameBy.includes(name)) continue
    const value = name in variants ? variants[name] : variantOf(properties[name] ?? {}, args[name])
    const plan = await planOf(app, tool, { ...args, [name]: value }).catch(() => undefined)
    if (!plan) continue
    tried++
    t.notSame([plan.summary, plan.preview], [before.summary, before.preview], `${tool} shows ${name}`)
    t.not(plan.input_digest, before.input_digest, `${tool} binds ${name}`)
  }
  return tried
}

/** Tries each tool with each drift: between question and decision, between decision and claim; and without any. */
export const tryDrifts = async (t: Test, app: App, cases: readonly ConsentCase[]): Promise<void> => {
  let drifts = 0
  let fields = 0
  for (const one of cases) {
    await t.test(one.tool, async (t) => {
      await isPinned(t, app, one)
      fields += await showsEveryField(t, app, one)
      if (one.reads) {
        const arranged = await one.arrange(app)
        const call = await propose(app, one.tool, arranged.args)
        t.equal(call.confirmation, null, 'no approval is asked')
        t.equal((await ended(app, call)).status, 'succeeded')
        return
      }
      await withoutDrift(t, app, one)
      const { drifts: known, irrelevant = {} } = await one.arrange(app)
      for (const change of Object.keys(irrelevant)) await withoutDrift(t, app, one, change)
      for (const drift of Object.keys(known)) {
        drifts += 2
        await betweenQuestionAndDecision(t, app, one, drift)
        await betweenDecisionAndClaim(t, app, one, drift)
      }
    })
  }
  t.comment(`${cases.length} tools, ${drifts} drifts, ${fields} fields`)
}
