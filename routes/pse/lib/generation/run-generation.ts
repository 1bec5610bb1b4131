import { listSteps } from '../../../../db/pse/generations.js'
import type { StepChange } from '../../../../db/pse/progress.js'
import { findVersion, updateChecks } from '../../../../db/pse/versions.js'
import { CancelRequested } from '../../../../lib/durable/errors.js'
import { BudgetExceeded } from '../../../../lib/llm/budget.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import { holdSession } from '../sessions/change-session.js'
import { checkSpec } from '../sessions/check-spec.js'
import type { Deps } from '../deps.js'
import { GenerationFailed, type GenerationState } from './generation-state.js'
import { propose, taskOf } from './propose.js'
import { storeVersion } from './store-version.js'
import { messageOf } from '../../../../schemas/thrown.js'

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
