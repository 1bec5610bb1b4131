import type { NewGeneration } from '../../../../db/pse/generations.js'
import type { SessionRow } from '../../../../db/pse/sessions.js'
import type { PinnedStandard } from '../../../../db/pse/tables.js'
import type { ConnectedModel } from '../../../../lib/llm/connected-model.js'
import { planModel, type ModelPlan } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { GenerateSpec, GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { ModelNotUsed } from '../../../../schemas/model-budget.js'
import type { Counted } from './count-material.js'
import type { Chosen } from './choose-targets.js'
import type { Deps } from '../deps.js'
import { tokensOf } from '../inputs/describe-input.js'
import { ModelNeeded } from '../errors.js'
import { estimateModel } from '../model/estimate.js'

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
export const planGeneration = (deps: Known, { user_id }: Principal, planned: PlanRequest): NewGeneration => ({
  workspace_id: planned.session.workspace_id,
  session_id: planned.session.id,
  mode: planned.input.mode,
  ...engineOf(deps, planned),
  standards: planned.standards,
  inputs_seq: planned.session.next_seq - 1,
  base_version: planned.session.current_version,
  created_by: user_id
})
