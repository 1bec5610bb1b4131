import type { GenerationRow } from '../../../../db/content/generations.js'
import { listOutputs } from '../../../../db/content/generation-outputs.js'
import type { Db } from '../../../../db/index.js'
import { planModel, type ModelPlan } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentGeneration } from '../../../../schemas/content/generation-records.js'
import type { GenerateContent, GeneratedContents } from '../../../../schemas/content/generations.js'
import { ApiError } from '../../../../schemas/errors.js'
import { readContent } from '../texts/find-content.js'
import { invalid } from '../invalid.js'
import { createByTemplate, reviseByRules, type Shown } from './by-rules.js'
import type { Deps } from './deps.js'
import { describePlan, readGeneration } from './describe.js'
import { promptVersion } from './model/prompts.js'
import { order, planOf, startGeneration } from './start.js'

const modelBanner = 'Written by a language model from the brief and its sources; read it before it is approved.'

const words = { auto: 'auto', anthropic: 'model', template: 'template' } as const
const byModelAlone: readonly string[] = ['rewrite', 'sections', 'adapt', 'translate']

/** @returns the model and budget of the requested run; undefined = by rules */
const planFor = (deps: Deps, workspaceId: string, input: GenerateContent): ModelPlan | undefined => {
  const { mode, model, budget } = input
  if (mode === 'check') return undefined
  const needed = byModelAlone.includes(mode)
  if (needed && input.engine === 'template') throw invalid('/engine', 'mode', `template cannot ${mode}`)
  return planModel(deps, workspaceId, { engine: needed ? 'model' : words[input.engine], model, budget })
}

type AnswerHeader = Omit<GeneratedContents, 'fixed' | 'generation' | 'contents'>

const answerHeader = async (input: GenerateContent, byModel: boolean): Promise<AnswerHeader> => {
  const { mode, dry_run } = input
  if (byModel) {
    const engine = { engine: 'anthropic', engine_version: promptVersion, is_prose_generated: true } as const
    return { mode, ...engine, banner: modelBanner, dry_run }
  }
  const { banner, engineVersion } = await import('../template/assemble.js')
  return { mode, engine: 'template', engine_version: engineVersion, is_prose_generated: false, banner, dry_run }
}

/** A row for a generation that was begun; an answer for a dry run and for what rules did at once. */
export type Begun = { row: GenerationRow } | { answer: GeneratedContents }

/**
 * Makes content from a brief or a record: by the model as a generation that runs in the background, or by rules at
 * once.
 * @throws brief_not_found, brief_state, not_found, project_archived, locale_not_enabled, stale_revision, slug_taken,
 *   content_archived, version_not_approved, too_many_outputs, generation_in_progress, and those of planModel
 */
export const generate = async (deps: Deps, principal: Principal, input: GenerateContent, revisions?: number[]):
Promise<Begun> => {
  const plan = planFor(deps, principal.workspace_id, input)
  const header = await answerHeader(input, plan !== undefined)
  if (plan) {
    const ordered = await order(deps.db, principal.workspace_id, input, revisions)
    if (!input.dry_run) return { row: await startGeneration(deps, principal, input, ordered, plan) }
    const generation = describePlan(await planOf(deps, principal, input, ordered, plan), ordered)
    return { answer: { ...header, fixed: 0, generation, contents: [] } }
  }
  if (input.mode !== 'create') {
    return { answer: { ...header, generation: null, ...await reviseByRules(deps.db, principal, input, revisions) } }
  }
  const made = await createByTemplate(deps.db, principal, input, revisions)
  return 'row' in made ? made : { answer: { ...header, fixed: 0, generation: null, contents: made.contents } }
}

/** A record that was deleted meanwhile is not shown. */
const readKept = async (db: Db, workspaceId: string, id: string): Promise<Shown[]> => {
  try {
    return [await readContent(db, workspaceId, id)]
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return []
    throw error
  }
}

/** @returns the generation as it is now, with its records */
export const readGenerated = async (db: Db, { workspace_id: workspaceId, id, request }: GenerationRow):
Promise<GeneratedContents & { generation: ContentGeneration }> => {
  const generation = await readGeneration(db, workspaceId, id)
  const outputs = await listOutputs(db, workspaceId, [id])
  const contents: Shown[] = []
  for (const { content_id } of outputs) contents.push(...await readKept(db, workspaceId, content_id))
  return { ...await answerHeader(request, generation.engine === 'anthropic'), fixed: 0, generation, contents }
}
