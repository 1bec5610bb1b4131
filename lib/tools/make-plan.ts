import type { FastifyInstance } from 'fastify'
import type { Principal } from '../security/principal.js'
import type { Arguments, Change, Plan, Read, Risk, Target } from './options.js'
import { readAfter, type Left } from './changes.js'
import { showLine } from './show-text.js'
import type { Tool } from './tool.js'
import type { PreviewRow } from '../../schemas/agent/events.js'
import type { RiskReason } from '../../schemas/agent/requirements.js'
import { Stopping } from '../durable/kind.js'
import { ApiError, Unchanged } from '../../schemas/errors.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { digestOf, isSameJson, expectedField, requireExpected, withTimeout } from './digest.js'
import { riskFor } from './risk.js'
import { showChanges } from './show-changes.js'

type Deps = Pick<FastifyInstance, 'tools' | 'config' | 'log'>

/** A plan as it is shown, stored and approved. */
export interface MadePlan {
  target: Target
  summary: string
  preview: PreviewRow[]
  /** The pinned arguments. */
  arguments: Arguments
  facts: Record<string, unknown>
  risk: Risk
  risk_reasons: RiskReason[]
  effect: 'read' | 'write'
  /** Its target is already as the call would leave it. */
  unchanged: boolean
  ifMatch: string | undefined
  /** What it leaves, for the steps after it; undefined = that is not known before. */
  left: Left | undefined
  undo: string | null
  /** Binds an approval to tool, version, workspace, person, target, pinned arguments, facts and changes. */
  input_digest: string
}

/** The plan code of a tool failed; that says nothing about the call or its target. */
export class PlanFailed extends Error {}

/** What no change of the plan shows: each setting that differs from what the operation does without it. */
const unshown = (tool: Tool, args: Arguments, { changes, covered = [] }: Plan): Change[] => {
  const shown = new Set([...covered, ...changes.flatMap(({ field }) => field ?? [])])
  return [...tool.settings]
    .filter(([name, standard]) => !shown.has(name) && args[name] !== undefined && !isSameJson(args[name], standard))
    .map(([name]) => ({ label: name, field: name, before: null, after: args[name] }))
}

/** The values that were compared, without what is only context. */
const bound = (changes: readonly Change[]) => changes.filter(({ binding }) => binding !== false)
  .map(({ label, before, after }) => ({ label, before: before ?? null, after: after ?? null }))

const isEffect = ({ context, before, after }: Change): boolean =>
  context === undefined && !isSameJson(before ?? null, after ?? null)

const complete = async (principal: Principal, tool: Tool, input: Arguments, plan: Plan): Promise<MadePlan> => {
  const { args = input, facts = {}, effect = 'write' } = plan
  const changes = [...plan.changes, ...unshown(tool, args, plan)]
  const { kind, id, within: holders = {} } = plan.target
  const digest = digestOf({
    tool: tool.name,
    version: tool.version,
    workspace: principal.workspace_id,
    person: principal.user_id,
    target: { kind, id, within: holders },
    arguments: args,
    facts,
    changes: bound(changes)
  })
  return {
    target: plan.target,
    summary: showLine(plan.summary),
    preview: await showChanges(changes),
    arguments: args,
    facts,
    risk: riskFor(plan.risk),
    risk_reasons: [...plan.risk],
    effect,
    unchanged: effect === 'write' && !plan.changes.some(isEffect),
    ifMatch: plan.ifMatch,
    left: plan.leaves && { id, fields: plan.leaves },
    undo: plan.undo === undefined ? null : showLine(plan.undo),
    input_digest: digest
  }
}

/** When a plan is not waited for any more, and what is taken as done already. */
interface Given { signal?: AbortSignal | undefined, after?: readonly Left[] }

/** Makes the plan within its time-out; stops waiting when the run is stopped or released. */
const planOf = async (deps: Deps, principal: Principal, tool: Tool, args: Arguments, { signal, after = [] }: Given) => {
  if (!tool.options) throw new Error(`${tool.name} does not write`)
  const { preview_timeout_ms: ms } = deps.config.limits
  const read: Read = readAfter(deps.tools.reader(principal), after)
  const plan = await withTimeout(tool.options.plan(args, read), ms, signal)
  if (plan === 'aborted') throw signal?.reason
  if (plan === 'timeout') throw new Error(`It took longer than ${ms} ms`)
  return plan
}

/** What a caller expects is compared, and is no argument of the plan: the plan has the facts as they are. */
const splitExpected = (tool: Tool, args: Arguments): { input: Arguments, expected?: object } => {
  if (!tool.takesExpected || args[expectedField] === undefined) return { input: args }
  const { [expectedField]: expected, ...input } = args
  return { input, expected: fieldsOf(expected) }
}

/**
 * Makes the plan of a write from the live state, by the tool's own code, whether it changes something or not.
 * @param after what earlier steps will leave: the plan is made on the state that they lead to
 * @throws ApiError of a read, when the target cannot be read or the call cannot work; state_changed where it is not as
 *   the arguments expect it
 * @throws PlanFailed instead of whatever else the tool's code throws, or when it takes too long
 * @throws the signal's reason
 */
export const planWrite = async (deps: Deps, principal: Principal, tool: Tool, args: Arguments,
  signal?: AbortSignal, after: readonly Left[] = []): Promise<MadePlan> => {
  const { input, expected } = splitExpected(tool, args)
  try {
    const made = await complete(principal, tool, input, await planOf(deps, principal, tool, input, { signal, after }))
    requireExpected(expected, made.facts)
    return made
  } catch (error) {
    if (error instanceof ApiError || error instanceof Stopping || signal?.aborted) throw error
    const err = error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
    deps.log.error({ tool: tool.name, err }, 'a plan failed')
    throw new PlanFailed()
  }
}

/** Nobody is asked about a write that would leave its target as it is. @throws unchanged */
const requireChange = ({ name: tool }: Tool, { unchanged, summary, target: { kind, id, names = [] } }: MadePlan) => {
  if (!unchanged) return
  throw Unchanged(`Nothing would change, so nobody was asked: ${summary}`, { tool, target: { kind, id, names } })
}

/**
 * Makes the plan of a write that somebody is to be asked about, or that is about to be sent.
 * @throws unchanged, where it was compared with its target as it is now and nothing differs; and what `planWrite` throws
 */
export const makePlan = async (...given: Parameters<typeof planWrite>): Promise<MadePlan> => {
  const plan = await planWrite(...given)
  requireChange(given[2], plan)
  return plan
}

/** @returns the names by which a rule may mean the plan's target */
export const namesOf = ({ target }: Pick<MadePlan, 'target'>): Set<string> =>
  new Set([target.id, ...target.names ?? [], ...Object.values(target.within ?? {})])
