import { readResults } from '../../../../db/pse/generations.js'
import { findVersion } from '../../../../db/pse/versions.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { limitTime, makeBudgetedModel, type BudgetedModel } from './budgeted-model.js'
import { readSession } from '../sessions/change-session.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import type { Deps } from '../deps.js'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { composeDocument, nextSteps, type Step } from '../model/pipeline.js'
import { type Failed, reportsOf } from '../model/steps.js'
import type { GenerationState } from './generation-state.js'
import { readSources, viewOf } from '../read-material.js'
import { runStep } from './run-step.js'
import { resolveStandards } from '../standards/resolve-standards.js'

/** How many steps run at once. */
const parallel = 4

export const taskOf = async ({ db }: Pick<Deps, 'db'>, { row }: GenerationState): Promise<GenerationTask> => {
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
export const propose = async (deps: Deps, state: GenerationState, task: GenerationTask): Promise<Proposal> => {
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
