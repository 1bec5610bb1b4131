import type { ContentBody } from 'steward-prose-engine/schemas'
import { repair } from 'steward-prose-engine/revision'
import { insertContent } from '../../../../db/content/contents.js'
import { listOutputs, insertOutputs, type NewOutput } from '../../../../db/content/generation-outputs.js'
import { appendFirst } from '../../../../db/content/generation-progress.js'
import { type GenerationRow, insertGeneration } from '../../../../db/content/generations.js'
import type { Db } from '../../../../db/index.js'
import { planModel, type ModelPlan } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { ContentGeneration, NewContentEvent } from '../../../../schemas/content/generation-records.js'
import type { GenerateContent, GeneratedContents } from '../../../../schemas/content/generations.js'
import { ApiError } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { brandOf } from '../brands/read-brand.js'
import { invalid } from '../errors.js'
import { checkContent, type Checked, type Slot, readContent, freeSlug } from '../texts/find-content.js'
import { edit, mapDuplicateSlug } from '../texts/write-content.js'
import type { Deps } from './generation-state.js'
import { describePlan, readGeneration } from './describe.js'
import { promptVersion } from './model/prompts.js'
import { noEstimate } from './estimate.js'
import { orderCreation, requireNewest, requireRevision, useBrief, type Ordered, type Planned } from './slots.js'
import { order, planOf, startGeneration } from './start.js'

type Shown = GeneratedContents['contents'][number]

interface Made { slot: Slot, body: ContentBody, checked: Checked }

const make = async (db: Db, workspaceId: string, { brief }: Ordered, { slot, channel }: Planned): Promise<Made> => {
  if (brief === null) throw invalid('/brief_id', 'required', 'is needed by mode create')
  const { outline } = await import('../template/outline.js')
  const { settings } = await brandOf(db, workspaceId, slot.project_id)
  const slug = await freeSlug(db, workspaceId, slot, brief.body.title)
  const { title, summary, body_markdown, fields, seo, citations } = outline(brief.body, settings, channel, slot.locale)
  const body = { title, slug, summary, body_markdown, fields, seo, media: [], waivers: [], citations }
  return { slot, body, checked: await checkContent(db, workspaceId, slot, body, brief.body) }
}

const showNew = ({ slot, body, checked }: Made): Shown => ({
  ...body,
  id: null,
  revision: null,
  channel: slot.channel,
  network: slot.network,
  locale: slot.locale,
  status: 'draft',
  version: 1,
  checks: checked.checks
})

const insertRecords = async (trx: Db, { workspace_id: workspaceId, user_id: author }: Principal, made: Made[]):
Promise<string[]> => {
  const ids: string[] = []
  for (const { slot, body, checked: { brand, ...judged } } of made) {
    const group = ids[0] === undefined ? {} : { group_id: ids[0] }
    const original = { translation_of: null, translated_version: null }
    const record = { ...slot, ...group, ...original, engine: 'template' as const, created_by: author }
    const first = { body, ...judged, origin: 'generated' as const, author }
    ids.push(await insertContent(trx, workspaceId, record, first))
  }
  return ids
}

const doneOutput = ({ slot: { channel, network, locale } }: Made, index: number, content_id: string): NewOutput => ({
  number: index + 1,
  content_id,
  channel,
  network,
  locale,
  variant: 1,
  base_version: 1,
  source_id: null,
  source_version: null,
  status: 'done',
  result_version: 1
})

/** Inserts a generation by rules, which is finished when the transaction commits. */
const record = async (trx: Db, principal: Principal, input: GenerateContent, ordered: Ordered, made: Made[],
  ids: string[]): Promise<GenerationRow> => {
  const { workspace_id: workspaceId, user_id: created_by } = principal
  const { project_id, brief } = ordered
  const row = await insertGeneration(trx, workspaceId, {
    project_id,
    brief_id: brief?.id ?? null,
    brief: brief?.body ?? null,
    mode: input.mode,
    engine: 'template',
    plan: null,
    request: input,
    estimate: noEstimate,
    brand_version: made[0]?.checked.brand.version ?? 0,
    prompt_inputs: [],
    retry_of: null,
    created_by
  }, 'succeeded')
  await insertOutputs(trx, workspaceId, row.id, made.map((one, index) => doneOutput(one, index, ids[index] ?? '')))
  return appendFirst(trx, row, [
    { event: 'generation_queued', data: { outputs: made.length } },
    { event: 'generation_started', data: { engine: 'template', mode: input.mode } },
    ...made.map(({ checked: { checks } }, index): NewContentEvent => ({
      event: 'output_completed',
      data: { number: index + 1, content_id: ids[index] ?? '', result_version: 1, score: checks.score }
    })),
    { event: 'generation_succeeded', data: { status: 'succeeded', error: null } }
  ])
}

const store = (db: Db, principal: Principal, input: GenerateContent, ordered: Ordered, made: Made[]) =>
  mapDuplicateSlug(db.transaction().execute(async (trx) => {
    await useBrief(trx, principal, ordered)
    const ids = await insertRecords(trx, principal, made)
    return { ids, row: await record(trx, principal, input, ordered, made, ids) }
  }))

const requireOneText = ({ variants, locales }: GenerateContent): void => {
  if (variants > 1) throw invalid('/variants', 'engine', 'are for a language model: the template makes one text')
  if ((locales?.length ?? 1) > 1) throw invalid('/locales', 'engine', 'are for a language model: the template copies')
}

/** Assembles the brief in the form of each channel. @returns the generation, or the contents of a dry run */
const createByTemplate = async (db: Db, principal: Principal, input: GenerateContent, revisions?: number[]):
Promise<{ row: GenerationRow } | { contents: Shown[] }> => {
  const { workspace_id: workspaceId } = principal
  requireOneText(input)
  const ordered = await orderCreation(db, workspaceId, input, false)
  requireRevision(ordered, revisions)
  const made: Made[] = []
  for (const one of ordered.planned) made.push(await make(db, workspaceId, ordered, one))
  if (input.dry_run) return { contents: made.map(showNew) }
  const { row } = await store(db, principal, input, ordered, made)
  return { row }
}

const requireRecord = (db: Db, workspaceId: string, { content_id: id, mode }: GenerateContent): Promise<Content> => {
  if (id === undefined) throw invalid('/content_id', 'required', `is needed by mode ${mode}`)
  return readContent(db, workspaceId, id)
}

const bodyOf = (content: Content): ContentBody => {
  const { title, slug, summary, body_markdown, fields, seo, media, waivers, citations } = content
  return { title, slug, summary, body_markdown, fields, seo, media, waivers, citations }
}

/** Checks a record again, or applies its fixable findings. @returns the record, and the number of applied findings */
const reviseByRules = async (db: Db, principal: Principal, input: GenerateContent, revisions?: number[]):
Promise<{ fixed: number, contents: Shown[] }> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  const before = await requireRecord(db, workspaceId, input)
  if (revisions && !revisions.includes(before.revision)) throw explainMiss(before)
  requireNewest(input, before)
  const { checks, brand } = await checkContent(db, workspaceId, before, bodyOf(before))
  if (input.mode === 'check') return { fixed: 0, contents: [{ ...before, checks }] }
  const { body, fixed, repairs } = repair(bodyOf(before), checks.findings, brand.settings.terms.protected)
  if (input.dry_run || fixed === 0) {
    const after = await checkContent(db, workspaceId, before, body)
    return { fixed, contents: [{ ...before, ...body, checks: after.checks }] }
  }
  await edit(db, workspaceId, before, { body, origin: 'merged', author, repairs })
  return { fixed, contents: [await readContent(db, workspaceId, before.id)] }
}

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
  const { banner, engineVersion } = await import('../template/outline.js')
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
