import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { listSteps, readResults, secondsOf, type StepRow } from '../../../../db/pse/generations.js'
import type { StepChange } from '../../../../db/pse/progress.js'
import { findVersion, updateChecks } from '../../../../db/pse/versions.js'
import { CancelRequested } from '../../../../lib/durable/kind.js'
import { makeAsk, makeReader, type AskOptions } from '../../../../lib/llm/ask.js'
import { BudgetExceeded, CallBudget, type Caps, type Used } from '../../../../lib/llm/budget.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import { capsOf } from '../../../../lib/llm/plan.js'
import { recordCallsOf } from '../../../../lib/llm/connected-model.js'
import type { NewSpecEvent } from '../../../../schemas/pse/events.js'
import { messageOf } from '../../../../schemas/unknown.js'
import type { Deps } from '../errors.js'
import { composeDocument, nextSteps } from '../model/pipeline.js'
import type { Model, Step } from '../model/step.js'
import { type Failed, reportsOf } from '../model/steps.js'
import { readSources, viewOf } from '../read-material.js'
import { holdSession, readSession } from '../sessions/read-version.js'
import { checkSpec } from '../sessions/check-spec.js'
import { resolveStandards } from '../standards/resolve-standards.js'
import { costOfSteps, sum } from './describe-generation.js'
import { GenerationFailed, type GenerationState, runStep, type Spent } from './generation-state.js'
import { storeVersion } from './store-version.js'

type BudgetedModel = (spend: (spent: Spent) => Promise<void>) => Model

const refuse = () => {
  throw new GenerationFailed('model_not_configured', 'The template engine asks no model')
}
const noModel: Model = { ask: refuse, read: refuse }

const usedBy = (steps: StepRow[]): Used => ({
  cost_usd_micros: costOfSteps(steps) ?? 0,
  output_tokens: sum(steps, 'output_tokens'),
  model_calls: sum(steps, 'model_calls')
})

const near = 0.8

/** @returns the caps that are used to four fifths or more */
const nearlyUsed = (caps: Caps, used: Used): (keyof Caps)[] =>
  (['cost_usd_micros', 'output_tokens', 'model_calls'] as const)
    .filter((cap) => used[cap] > 0 && used[cap] >= near * (caps[cap] ?? Infinity))

/** Emits one budget_warning for each cap that is nearly used up. */
class Warner {
  readonly #warned: Set<keyof Caps>

  constructor (private readonly state: GenerationState, private readonly budget: CallBudget) {
    this.#warned = new Set(nearlyUsed(budget.caps, budget.used))
  }

  async warnWhenNear (): Promise<void> {
    const { caps, used } = this.budget
    const fresh = nearlyUsed(caps, used).filter((cap) => !this.#warned.has(cap))
    for (const cap of fresh) this.#warned.add(cap)
    if (fresh.length === 0) return
    const { id: generation_id } = this.state.row
    // nearlyUsed returns only caps that are set.
    const events = fresh.map((cap): NewSpecEvent =>
      ({ event: 'budget_warning', data: { generation_id, cap, used: used[cap], limit: caps[cap] ?? 0 } }))
    await this.state.write({ events })
  }
}

/** The generation's budget, minus what earlier holders of the generation spent. */
const restOf = async (deps: Deps, { row }: GenerationState, model: string): Promise<CallBudget> => {
  const steps = await listSteps(deps.db, row.workspace_id, [row.id])
  const by = deps.llm.of(row.workspace_id)
  return new CallBudget(capsOf(deps, row.request.budget ?? {}), (usage) => by.cost(usage, model), usedBy(steps))
}

/** @returns the model client of a step; it records the cost of every call with the step */
const makeBudgetedModel = async (deps: Deps, state: GenerationState, task: GenerationTask):
Promise<BudgetedModel> => {
  const { model } = state.row
  if (model === null) return () => noModel
  const { model_idle_ms: idleMs, model_retry_base_ms: retryBaseMs } = deps.config.limits
  const budget = await restOf(deps, state, model)
  const warner = new Warner(state, budget)
  return (spend) => {
    const options: AskOptions = {
      model,
      budget,
      idleMs,
      retryBaseMs,
      redact: task.redact,
      signal: state.abort.signal,
      payer: { workspace_id: state.row.workspace_id, user_id: state.row.created_by },
      purpose: { purpose: 'spec', generation_id: state.row.id },
      onSpend: async (spent) => {
        await spend({ ...spent, model_calls: 1 })
        await warner.warnWhenNear()
      },
      onCall: recordCallsOf(deps, state.row.id)
    }
    return { ask: makeAsk(deps.llm, options), read: makeReader(deps.llm, options) }
  }
}

/** Aborts the generation when its time is over. @returns a function that stops the timer */
const limitTime = async ({ db }: Deps, { row, abort }: GenerationState): Promise<() => void> => {
  const seconds = row.request.budget?.max_seconds
  if (seconds === undefined) return () => {}
  const over = () => abort.abort(new BudgetExceeded(`It took longer than ${seconds} seconds`))
  const timer = setTimeout(over, Math.max(0, seconds - await secondsOf(db, row)) * 1_000)
  return () => clearTimeout(timer)
}

/** How many steps run at once. */
const parallel = 4

const taskOf = async ({ db }: Pick<Deps, 'db'>, { row }: GenerationState): Promise<GenerationTask> => {
  const { workspace_id: workspaceId, session_id: sessionId, base_version: base } = row
  const session = await readSession(db, workspaceId, sessionId)
  const start = base === null ? undefined : await findVersion(db, workspaceId, sessionId, base)
  return {
    session: viewOf(session),
    inputs: await readSources(db, workspaceId, sessionId, row.inputs_seq),
    standards: await resolveStandards(db, workspaceId, row.standards),
    base: start?.document,
    version: (base ?? 0) + 1,
    engine: row.engine === 'model' ? 'anthropic' : 'template',
    model: row.model,
    mode: row.mode === 'check' ? 'full' : row.mode,
    targets: row.request.targets ?? [],
    instructions: row.request.instructions ?? '',
    redact: session.options.redact_secrets,
    maxRepairRounds: row.request.budget?.max_repair_rounds ?? 0
  }
}

/**
 * Runs steps concurrently, and lists them in their order. Waits for all of them, also when one fails: the answers to
 * the others are paid for, and kept.
 */
const runSome = async (deps: Deps, state: GenerationState, steps: Step[], done: Map<string, unknown>,
  budgeted: BudgetedModel) => {
  await state.write({ steps: steps.map(({ key }) => ({ key, status: 'pending' })) })
  const ended = await Promise.allSettled(steps.map(async (step) => {
    const { key, mayFail } = step
    try {
      done.set(key, await runStep(deps, state, step, (spend) => step.run(done, budgeted(spend))))
    } catch (error) {
      if (!mayFail || !(error instanceof ModelError)) throw error
      const failed = { code: error.code, message: error.message }
      await state.write({ steps: [{ key, status: 'failed', ends: true, error: failed }] })
      done.set(key, { failed } satisfies Failed)
    }
  }))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

export interface Proposal { document: SpecDocument, reports: string[] }

/**
 * Runs the steps that are not done yet, one wave after another. Results pass through JSON, so a generation that
 * another process continues makes the same document.
 * @returns the proposed document, and what the model did not do
 */
const propose = async (deps: Deps, state: GenerationState, task: GenerationTask): Promise<Proposal> => {
  const done = await readResults(deps.db, state.row.workspace_id, state.row.id)
  const budgeted = await makeBudgetedModel(deps, state, task)
  const stopClock = await limitTime(deps, state)
  try {
    for (let steps = nextSteps(task, done); steps.length > 0; steps = nextSteps(task, done)) {
      await runSome(deps, state, steps.slice(0, parallel), done, budgeted)
    }
  } finally {
    stopClock()
  }
  return { document: composeDocument(task, done), reports: reportsOf(done) }
}

const cancelled = { code: 'cancelled', message: 'It was cancelled' }
const unforeseen = { code: 'internal', message: 'Something went wrong here' }

const endingOf = (error: unknown) => {
  if (error instanceof CancelRequested) return { status: 'cancelled' as const, event: 'generation_cancelled' as const }
  if (error instanceof BudgetExceeded) {
    const failure = { code: 'budget_exceeded', message: error.message }
    return { status: 'budget_exceeded' as const, event: 'generation_failed' as const, error: failure }
  }
  const isKnown = error instanceof GenerationFailed || error instanceof ModelError
  const failure = isKnown ? { code: error.code, message: error.message } : unforeseen
  return { status: 'failed' as const, event: 'generation_failed' as const, error: failure }
}

/** Writes the status that an error leads to. Finished steps stay; the running one fails, pending ones are skipped. */
export const failGeneration = async (deps: Deps, state: GenerationState, thrown: unknown): Promise<void> => {
  const { status, event, error } = endingOf(thrown)
  if (error === unforeseen) {
    deps.log.error({ generation: state.row.id, reason: messageOf(thrown) }, 'a generation failed')
  }
  const open = await listSteps(deps.db, state.row.workspace_id, [state.row.id])
  const steps = open.flatMap(({ key, status: before }): StepChange[] => {
    if (before === 'pending') return [{ key, status: 'skipped' }]
    return before === 'running' ? [{ key, status: 'failed', ends: true, error: error ?? cancelled }] : []
  })
  const { id: generation_id } = state.row
  await state.write({
    change: { status, ...(error && { error }) },
    steps,
    events: [{ event, data: { generation_id, status, error: error ?? null } }]
  })
}

const edited = () => new GenerationFailed('base_version_stale', 'The spec was edited while it was checked')

/** Checks the version again, against the current inputs, waivers and standards, without making a version. */
const checkVersion = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { workspace_id, session_id, id: generation_id, inputs_seq, standards, base_version } = state.row
  await state.write({ change: { status: 'checking' } })
  const read = (version: number | null | undefined) =>
    version ? findVersion(deps.db, workspace_id, session_id, version) : undefined
  const row = await read(base_version)
  if (!row) throw edited()
  const { version, document, reviews } = row
  const base = (await read(row.parent_version))?.document
  const of = { workspace_id, session_id, document, inputs_seq, standards, reviews }
  const report = await checkSpec(deps.db, { ...of, base })
  const { verdict, counts } = report
  await state.write({
    first: async (trx) => {
      const session = await holdSession(trx, workspace_id, session_id)
      if (session.current_version !== version) throw edited()
      await updateChecks(trx, workspace_id, session_id, version, report)
    },
    change: { status: 'succeeded', result_version: version },
    steps: [{ key: 'check', status: 'done', begins: true, ends: true }],
    events: [
      { event: 'check_completed', data: { generation_id, verdict, counts } },
      { event: 'generation_succeeded', data: { generation_id, version } }
    ]
  })
}

/** Runs a generation to its end. */
export const runGeneration = async (deps: Deps, state: GenerationState): Promise<void> => {
  const { id: generation_id, engine, mode, status } = state.row
  if (status === 'queued') {
    await state.write({
      change: { status: 'running' }, events: [{ event: 'generation_started', data: { generation_id, engine, mode } }]
    })
  }
  if (mode === 'check') return checkVersion(deps, state)
  const task = await taskOf(deps, state)
  const { document, reports } = await propose(deps, state, task)
  const warnings = [...state.row.warnings, ...reports]
  await state.write({ change: { status: 'merging', ...(reports.length > 0 && { warnings }) } })
  await storeVersion(deps, state, document, task)
}
