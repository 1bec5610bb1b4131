import { insertContent } from '../../../../db/content/contents.js'
import { appendFirst, generationLeases } from '../../../../db/content/generation-progress.js'
import { announceWork } from '../../../../db/durable/leases.js'
import { findBusy, insertOutputs, isRecordBusy, type NewOutput } from '../../../../db/content/generation-outputs.js'
import { insertGeneration, type GenerationRow, type NewGeneration } from '../../../../db/content/generations.js'
import type { Db } from '../../../../db/index.js'
import type { ModelPlan } from '../../../../lib/llm/plan.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ContentBody } from 'steward-prose-engine/schemas'
import type { GenerateContent } from '../../../../schemas/content/generations.js'
import { checkContent, freeSlug } from '../texts/find-content.js'
import { ContentArchived, GenerationInProgress } from '../errors.js'
import { brandOf } from '../brands/read-brand.js'
import { mapDuplicateSlug } from '../texts/write-content.js'
import type { Deps } from './generation-state.js'
import { generationJob } from './runner.js'
import { promptInputs } from './model/prompts.js'
import {
  orderCreation, orderDerivation, orderRevision, requireNewest, requireRevision, useBrief, type Ordered, type Planned
} from './slots.js'
import { messageOf } from '../../../../schemas/unknown.js'

/** The body of a record until the model has written it; no text with it passes a review. */
const waiting = '[[WRITE: the language model has not written this yet]]\n'

const orders = { create: orderCreation, adapt: orderDerivation, translate: orderDerivation }

const orderMode = async (db: Db, workspaceId: string, input: GenerateContent): Promise<Ordered> => {
  const { mode } = input
  if (mode === 'create' || mode === 'adapt' || mode === 'translate') return orders[mode](db, workspaceId, input, true)
  const ordered = await orderRevision(db, workspaceId, input)
  const { row } = ordered.origin ?? {}
  if (row?.status === 'archived') throw ContentArchived()
  requireNewest(input, row)
  return ordered
}

/** @throws as orderCreation, and version_not_approved, stale_revision, content_archived */
export const order = async (db: Db, workspaceId: string, input: GenerateContent, revisions?: number[]):
Promise<Ordered> => {
  const ordered = await orderMode(db, workspaceId, input)
  requireRevision(ordered, revisions)
  return ordered
}

export const planOf = async (deps: Deps, { workspace_id: workspaceId, user_id }: Principal, input: GenerateContent,
  ordered: Ordered, plan: ModelPlan): Promise<NewGeneration> => {
  const { estimateOf } = await import('./estimate.js')
  const { project_id, brief, origin, planned } = ordered
  const { settings, version } = await brandOf(deps.db, workspaceId, project_id)
  const channels = planned.length > 0 ? planned.map(({ slot }) => slot.channel) : origin ? [origin.row.channel] : []
  return {
    project_id,
    brief_id: brief?.id ?? null,
    brief: brief?.body ?? null,
    mode: input.mode,
    engine: 'anthropic',
    plan,
    request: input,
    estimate: await estimateOf(ordered, input, (usage) => deps.llm.of(workspaceId).cost(usage, plan.model)),
    brand_version: version,
    prompt_inputs: promptInputs(settings, channels),
    retry_of: null,
    created_by: user_id
  }
}

const emptyBody = (slug: string, { brief, origin }: Ordered, { slot }: Planned): ContentBody => ({
  title: origin?.body.title ?? brief?.body.title ?? '',
  slug,
  summary: '',
  body_markdown: slot.channel === 'social' ? '' : waiting,
  fields: {},
  seo: { keywords: brief?.body.keywords ?? origin?.body.seo.keywords ?? [], noindex: false },
  media: [],
  waivers: [],
  citations: []
})

/** Inserts the records that the model will write, so that they can be found at once. */
const insertEmpty = async (trx: Db, { workspace_id: workspaceId, user_id: author }: Principal, input: GenerateContent,
  ordered: Ordered): Promise<NewOutput[]> => {
  const { origin } = ordered
  const outputs: NewOutput[] = []
  for (const planned of ordered.planned) {
    const { slot, variant } = planned
    const slug = await freeSlug(trx, workspaceId, slot, origin?.body.title ?? ordered.brief?.body.title ?? '')
    const body = emptyBody(slug, ordered, planned)
    const { brand, ...judged } = await checkContent(trx, workspaceId, slot, body)
    const group = origin?.row.group_id ?? outputs[0]?.content_id
    const content_id = await insertContent(trx, workspaceId, {
      ...slot,
      ...(group !== undefined && { group_id: group }),
      variant,
      translation_of: input.mode === 'translate' ? origin?.row.id ?? null : null,
      translated_version: input.mode === 'translate' ? origin?.version ?? null : null,
      engine: 'anthropic',
      created_by: author
    }, { body, ...judged, origin: 'generated', author })
    const { channel, network, locale } = slot
    outputs.push({
      number: outputs.length + 1,
      content_id,
      channel,
      network,
      locale,
      variant,
      base_version: 1,
      source_id: origin?.row.id ?? null,
      source_version: origin?.version ?? null,
      status: 'pending'
    })
  }
  return outputs
}

const ownOutput = ({ origin }: Ordered): NewOutput[] => origin === null
  ? []
  : [{
      number: 1,
      content_id: origin.row.id,
      channel: origin.row.channel,
      network: origin.row.network,
      locale: origin.row.locale,
      variant: origin.row.variant,
      base_version: origin.version,
      source_id: null,
      source_version: null,
      status: 'pending'
    }]

/** @throws generation_in_progress where another generation writes one of the records */
export const insertWith = async (trx: Db, workspaceId: string, made: NewGeneration, outputs: NewOutput[]):
Promise<GenerationRow> => {
  const busy = await findBusy(trx, workspaceId, outputs.map(({ content_id: id }) => id))
  if (busy !== undefined) throw GenerationInProgress(undefined, { generation_id: busy })
  const row = await insertGeneration(trx, workspaceId, made, 'queued')
  await insertOutputs(trx, workspaceId, row.id, outputs)
  await announceWork(trx, generationLeases.table)
  return appendFirst(trx, row, [{ event: 'generation_queued', data: { outputs: outputs.length } }])
}

/** Of two concurrent generations of a record the unique index refuses one. @throws generation_in_progress */
export const mapBusyRecord = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isRecordBusy(error) ? GenerationInProgress() : error
  }
}

/** Not awaited: the row decides, and the queue may still be starting. */
export const enqueueGeneration = (deps: Deps, { workspace_id, id }: GenerationRow): void => {
  void deps.jobs.enqueue(deps.db, generationJob, { workspace_id, id }).catch((error: unknown) =>
    deps.log.warn({ reason: messageOf(error) }, 'job of a generation not enqueued'))
}

/** Stores a model run with the records that it makes, then enqueues its job. */
export const startGeneration = async (deps: Deps, principal: Principal, input: GenerateContent, ordered: Ordered,
  plan: ModelPlan): Promise<GenerationRow> => {
  const { workspace_id: workspaceId } = principal
  const made = await planOf(deps, principal, input, ordered, plan)
  const row = await mapBusyRecord(mapDuplicateSlug(deps.db.transaction().execute(async (trx) => {
    if (input.mode === 'create') await useBrief(trx, principal, ordered)
    const outputs = ordered.planned.length > 0
      ? await insertEmpty(trx, principal, input, ordered)
      : ownOutput(ordered)
    return insertWith(trx, workspaceId, made, outputs)
  })))
  enqueueGeneration(deps, row)
  return row
}
