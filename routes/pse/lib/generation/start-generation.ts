import {
  materialKinds, countDemands, languageOf, materialOf, textLanguage, sectionFields
} from 'steward-spec-engine/engine'
import { partChars } from 'steward-spec-engine/model'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { announceWork } from '../../../../db/durable/leases.js'
import type { Db } from '../../../../db/index.js'
import { insertGeneration, type GenerationRow, type NewGeneration } from '../../../../db/pse/generations.js'
import { countFeedback, hasInputOf } from '../../../../db/pse/inputs.js'
import { appendToSession, generationLeases } from '../../../../db/pse/progress.js'
import { type SessionRow, findSession } from '../../../../db/pse/sessions.js'
import type { PinnedStandard } from '../../../../db/pse/tables.js'
import { findVersion } from '../../../../db/pse/versions.js'
import { redacted } from '../../../../lib/llm/ask.js'
import type { ConnectedModel } from '../../../../lib/llm/connected-model.js'
import { planModel, type ModelPlan } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { ModelNotUsed } from '../../../../schemas/model-budget.js'
import type { GenerateSpec, GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { messageOf } from '../../../../schemas/unknown.js'
import {
  type Deps, BaseVersionStale, GenerationInProgress, NoUsableInputs, SessionApproved, ModelNeeded, ItemLocked,
  NoVersion, TargetUnknown
} from '../errors.js'
import { tokensOf } from '../inputs/describe-input.js'
import { asksFor, type Scoped } from '../model/steps.js'
import { readSources } from '../read-material.js'
import { holdSession, requireRevision, requireUnarchived, moneyOf } from '../sessions/read-version.js'
import { pinStandards } from '../standards/resolve-standards.js'

const fieldError = (code: string, at: number, message: string) =>
  ({ errors: [{ pointer: `/targets/${at}`, code, message }] })

const sectionOf = (target: string): string | undefined => /^sections\.(.+)$/.exec(target)?.[1]

const requireSection = ({ sections, locked_sections: locked }: SpecDocument, target: string, at: number): void => {
  const key = sectionOf(target)
  const known: string[] = [...sectionFields, ...sections.map((section) => section.key)]
  const message = `${target} is no section of the spec`
  if (key === undefined || !known.includes(key)) throw TargetUnknown(message, fieldError('target_unknown', at, message))
  if (locked.includes(key)) throw ItemLocked(`${target} is locked`, fieldError('item_locked', at, 'is locked'))
}

const requireItem = ({ requirements, locked_sections: sections }: SpecDocument, target: string, at: number): void => {
  const item = requirements.find(({ id, status }) => id === target && status === 'active')
  const message = `${target} is no active requirement of the spec`
  if (!item) throw TargetUnknown(message, fieldError('target_unknown', at, message))
  if (item.locked || sections.includes('requirements')) {
    throw ItemLocked(`${target} is locked`, fieldError('item_locked', at, 'is locked'))
  }
}

const requireTarget = { sections: requireSection, requirements: requireItem, repair: requireItem }

const invalidTargets = (message: string) =>
  InvalidRequest(message, { errors: [{ pointer: '/targets', code: 'invalid', message }] })

const targetsOf = ({ mode, targets = [] }: GenerateSpec, document: SpecDocument): string[] => {
  if (mode === 'full' || mode === 'check' || mode === 'import') {
    if (targets.length > 0) throw invalidTargets(`The mode ${mode} is of the whole spec`)
    return []
  }
  if (targets.length === 0 && mode !== 'repair') throw invalidTargets(`The mode ${mode} needs targets`)
  for (const [at, target] of targets.entries()) requireTarget[mode](document, target, at)
  return targets.length === 0 ? ['sections.requirements'] : targets
}

/** The targets of a generation; no targets = the whole spec. */
interface Chosen { targets: string[], base: SpecDocument | undefined }

/**
 * Validates the targets of a generation. A repair without targets covers all requirements.
 * @throws invalid_request, no_version, target_unknown, item_locked
 */
const chooseTargets = async (db: Db, row: SessionRow, input: GenerateSpec): Promise<Chosen> => {
  const { current_version: current } = row
  const base = current === null ? undefined : (await findVersion(db, row.workspace_id, row.id, current))?.document
  if (base) return { targets: targetsOf(input, base), base }
  if (input.mode !== 'full' && input.mode !== 'import') throw NoVersion()
  if (input.targets?.length) throw invalidTargets(`The mode ${input.mode} is of the whole spec`)
  return { targets: [], base }
}

/** Tokens of all inputs, who counted them, and about how many demands the inputs have. */
interface Counted { tokens: number, by: 'model' | 'characters', demands: number }

/** Characters of one question to the model's server: less than any window has. */
const perCall = 200_000

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu
const other = /[^\x00-\x7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu

/** By script: four characters of ASCII, half of another letter, and one of Chinese, Japanese or Korean are a token. */
export const estimateTokens = (text: string): number => {
  const [full, half] = [text.match(wide)?.length ?? 0, text.match(other)?.length ?? 0]
  return Math.ceil(full + half / 2 + (text.length - full - half) / 4)
}

const partsOf = (text: string): string[] => {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += perCall) parts.push(text.slice(at, at + perCall).toWellFormed())
  return parts
}

/** The template engine, a check and an import ask no model; auto asks one only where a provider is configured. */
const asksModel = ({ answerer }: ConnectedModel, { engine, mode, model }: GenerateSpec): boolean =>
  mode !== 'check' && mode !== 'import' && engine !== 'template' &&
  (engine === 'model' || model !== undefined || answerer === 'provider')

const readLanguage = (text: string, locale: string) => {
  const found = textLanguage(text)
  return found === undefined || found === 'other' ? languageOf(locale) : found
}

/**
 * Counts the tokens of a session's inputs for the estimate of a dry run, outside of any transaction.
 * @returns undefined where no model would be asked
 */
const countMaterial = async (deps: Pick<Deps, 'db' | 'llm'>, { workspace_id: workspaceId }: Principal,
  sessionId: string, input: GenerateSpec): Promise<Counted | undefined> => {
  const by = deps.llm.of(workspaceId)
  if (!input.dry_run || !asksModel(by, input)) return undefined
  const session = await findSession(deps.db, workspaceId, sessionId)
  if (!session) return undefined
  const sources = materialOf(await readSources(deps.db, workspaceId, sessionId, session.next_seq - 1))
  const texts = sources.map(({ text }) => session.options.redact_secrets ? redacted(text) : text)
  const model = input.model ?? by.modelOf(workspaceId)
  const tokens = await by.countTokens(workspaceId, model, texts.flatMap(partsOf))
  const demands = texts.reduce((sum, text) => sum + countDemands(text, readLanguage(text, session.locale)), 0)
  return tokens === undefined
    ? { tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), by: 'characters', demands }
    : { tokens, by: 'model', demands }
}

/** Tokens of the rules, the task and the numbers of one call. */
const aboutCall = 700
/** What numbers, names of inputs and columns add to the sentences. */
const withNumbers = 1.1
/** Tokens of the inputs for each requirement where nobody has counted, and of a requirement in the list that is judged. */
const perRequirement = 90
const inList = 50
const judgedAtOnce = 120
/** Tokens of the answers: of a requirement, of the rest of a part, of a verdict, and of a design or tasks. */
const [aboutRequirement, aboutRest, aboutVerdict, aboutExtra] = [130, 600, 25, 2_000] as const

export interface Expected {
  scoped: Scoped
  model: string
  /** Tokens of all inputs together. */
  material: number
  /** undefined = nobody has counted them */
  demands: number | undefined
}

/** @returns the expected cost: each part is read once, and again from the cache for what is left of it */
const estimateModel = (llm: Pick<ConnectedModel, 'cost'>, { scoped, model, material, demands }: Expected): GenerationEstimate => {
  const isRepair = scoped.mode === 'repair'
  const isSome = scoped.mode === 'requirements' && scoped.base !== undefined
  const all = Math.max(1, Math.ceil(material * 4 * withNumbers / partChars))
  const parts = isRepair ? 0 : isSome ? Math.min(all, scoped.targets.length) : all
  const read = Math.round(material * withNumbers * parts / all)
  const requirements = Math.ceil((demands ?? material / perRequirement) * parts / all)
  const judges = isRepair ? 0 : Math.ceil(requirements / judgedAtOnce)
  const extras = (['design', 'tasks'] as const).filter((part) => asksFor(scoped, part)).length
  const calls = parts * 2 + judges + extras + Number(isRepair)
  const usage = {
    input_tokens: calls * aboutCall + requirements * inList * (1 + extras / 2),
    output_tokens: requirements * (aboutRequirement + aboutVerdict) + parts * aboutRest + extras * aboutExtra,
    cache_write_tokens: read,
    cache_read_tokens: read
  }
  return {
    input_tokens: Math.round(usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens),
    output_tokens: Math.round(usage.output_tokens),
    model_calls: calls,
    parts: Math.max(1, parts),
    cost: moneyOf(llm.cost(usage, model)),
    estimated: true
  }
}

const withoutModel = (row: SessionRow): GenerationEstimate => ({
  input_tokens: tokensOf(row.input_chars),
  output_tokens: 0,
  model_calls: 0,
  cost: { amount: '0.000000', currency: 'USD' },
  estimated: true
})

export interface PlanRequest {
  session: SessionRow
  input: GenerateSpec
  chosen: Chosen
  /** How many inputs of kind feedback the session has. */
  feedback: number
  /** What the inputs were counted to have; undefined = nobody has counted. */
  counted?: Counted | undefined
  /** The versions that the generation will use. */
  standards: PinnedStandard[]
}

type Known = Pick<Deps, 'llm' | 'workspaces'>

const estimateOf = (llm: Pick<ConnectedModel, 'cost'>, { session, input, chosen, counted }: PlanRequest, { model }: ModelPlan) => {
  const mode = input.mode === 'check' ? 'full' : input.mode
  const scoped = { ...chosen, mode, session: { settings: { artifacts: session.artifacts } } }
  const { tokens, by, demands } = counted ?? { tokens: tokensOf(session.input_chars), by: 'characters' as const, demands: undefined }
  return { ...estimateModel(llm, { scoped, model, material: tokens, demands }), tokens_by: by }
}

const overBudget = ({ output_tokens: tokens }: GenerationEstimate, { max_output_tokens: most }: ModelPlan['budget']) =>
  tokens <= most
    ? []
    : [`The answers are expected to take ${tokens} tokens, and the budget has ${most}: name fewer inputs, or raise it`]

const instructionsIgnored = 'The template engine cannot follow instructions'
const feedbackIgnored = (count: number) => `The template engine cannot follow feedback: ${count === 1
  ? 'one input waits'
  : `${count} inputs wait`} for a model, or for a person who edits`

/** A check and an import use no model; a repair uses nothing else. */
const planEngine = (deps: Known, { session, input }: PlanRequest): ModelPlan | undefined => {
  const needsNoModel = input.mode === 'check' || input.mode === 'import'
  if (needsNoModel && (input.engine === 'model' || input.model !== undefined)) {
    throw ModelNotUsed(`The mode ${input.mode} asks no model`)
  }
  const plan = planModel(deps, session.workspace_id, needsNoModel ? { engine: 'template' } : input)
  if (!plan && input.mode === 'repair') throw ModelNeeded()
  return plan
}

const engineOf = (deps: Known, planned: PlanRequest) => {
  const plan = planEngine(deps, planned)
  const { session, feedback, input: { budget: _, ...input }, chosen: { targets } } = planned
  const request = { ...input, targets }
  if (!plan) {
    const isMade = input.mode !== 'check' && input.mode !== 'import'
    const warnings = [
      ...input.instructions ? [instructionsIgnored] : [], ...isMade && feedback > 0 ? [feedbackIgnored(feedback)] : []
    ]
    return { engine: 'template' as const, model: null, request, estimate: withoutModel(session), warnings }
  }
  const { model, budget, warnings } = plan
  const estimate = estimateOf(deps.llm.of(planned.session.workspace_id), planned, plan)
  const all = [...warnings, ...overBudget(estimate, budget)]
  return { engine: 'model' as const, model, request: { ...request, budget }, estimate, warnings: all }
}

/** @throws model_needed, and what planModel throws */
const planGeneration = (deps: Known, { user_id }: Principal, planned: PlanRequest): NewGeneration => ({
  workspace_id: planned.session.workspace_id,
  session_id: planned.session.id,
  mode: planned.input.mode,
  ...engineOf(deps, planned),
  standards: planned.standards,
  inputs_seq: planned.session.next_seq - 1,
  base_version: planned.session.current_version,
  created_by: user_id
})

/** The job carries only the ids of a generation. */
export const generationJob = 'pse.generate'

const requireStartable = async (trx: Db, row: SessionRow, input: GenerateSpec): Promise<void> => {
  requireUnarchived(row)
  if (row.active_generation_id !== null) {
    throw GenerationInProgress(undefined, { generation_id: row.active_generation_id })
  }
  if (row.approved && !input.dry_run && input.mode !== 'check') throw SessionApproved()
  const { current_version: current } = row
  if (input.base_version !== undefined && input.base_version !== current) {
    throw BaseVersionStale(`Version ${current ?? 'none'} is current`, { current_version: current })
  }
  if (!await hasInputOf(trx, row.workspace_id, row.id, input.mode === 'import' ? ['spec'] : materialKinds)) {
    throw NoUsableInputs()
  }
}

/** after: the stream position before the generation's first event */
export type Started = { row: GenerationRow, after: number } | { plan: NewGeneration }

/**
 * Inserts a generation, then enqueues its job. If the job is lost, the sweep finds the row. A dry run only plans.
 * @throws not_found, session_archived, session_approved, generation_in_progress, base_version_stale, no_usable_inputs,
 *   and what chooseTargets and planGeneration throw
 */
export const startGeneration = async (deps: Pick<Deps, 'db' | 'jobs' | 'log' | 'llm' | 'workspaces'>,
  principal: Principal, id: string, input: GenerateSpec, revisions?: number[]): Promise<Started> => {
  const { workspace_id: workspaceId } = principal
  const counted = await countMaterial(deps, principal, id, input)
  const started = await deps.db.transaction().execute(async (trx): Promise<Started> => {
    const session = await holdSession(trx, workspaceId, id)
    await requireRevision(trx, session, revisions)
    await requireStartable(trx, session, input)
    const { pins } = await pinStandards(trx, workspaceId, session.standards)
    const chosen = await chooseTargets(trx, session, input)
    const feedback = await countFeedback(trx, workspaceId, id)
    const planned = { session, input, chosen, feedback, counted, standards: pins }
    const plan = planGeneration(deps, principal, planned)
    if (input.dry_run) return { plan }
    const row = await insertGeneration(trx, plan)
    await announceWork(trx, generationLeases.table)
    await appendToSession(trx, workspaceId, id, [{ event: 'generation_queued', data: { generation_id: row.id } }])
    return { row, after: session.event_seq }
  })
  if ('row' in started) {
    const key = { workspace_id: workspaceId, id: started.row.id }
    // Does not wait: the sweep finds the row anyway, and the queue may still be starting.
    void deps.jobs.enqueue(deps.db, generationJob, key)
      .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'job of a spec not enqueued'))
  }
  return started
}
