import { insertContent } from '../../../../db/content/contents.js'
import { appendFirst } from '../../../../db/content/generation-progress.js'
import { insertOutputs, type NewOutput } from '../../../../db/content/generation-outputs.js'
import { insertGeneration, type GenerationRow } from '../../../../db/content/generations.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import type { Content } from '../../../../schemas/content/contents.js'
import type { GenerateContent, GeneratedContents } from '../../../../schemas/content/generations.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { checkContent, type Checked, type Slot } from '../texts/check-content.js'
import { readContent } from '../texts/find-content.js'
import { invalid } from '../invalid.js'
import { brandOf } from '../brands/read-brand.js'
import { repair } from 'steward-prose-engine/revision'
import { freeSlug } from '../texts/slug.js'
import { edit, mapDuplicateSlug } from '../texts/write-content.js'
import { noEstimate } from './money.js'
import { orderCreation, requireNewest, requireRevision, useBrief, type Ordered, type Planned } from './slots.js'
import type { NewContentEvent } from '../../../../schemas/content/generation-records.js'

const template = async () => ({ ...await import('../template/assemble.js') })

export type Shown = GeneratedContents['contents'][number]

interface Made { slot: Slot, body: ContentBody, checked: Checked }

const make = async (db: Db, workspaceId: string, { brief }: Ordered, { slot, channel }: Planned): Promise<Made> => {
  if (brief === null) throw invalid('/brief_id', 'required', 'is needed by mode create')
  const { assemble } = await template()
  const { settings } = await brandOf(db, workspaceId, slot.project_id)
  const slug = await freeSlug(db, workspaceId, slot, brief.body.title)
  const { title, summary, body_markdown, fields, seo, citations } = assemble(brief.body, settings, channel)
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
export const createByTemplate = async (db: Db, principal: Principal, input: GenerateContent, revisions?: number[]):
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
export const reviseByRules = async (db: Db, principal: Principal, input: GenerateContent, revisions?: number[]):
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
