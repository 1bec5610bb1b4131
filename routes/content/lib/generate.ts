import { findBrief, moveBrief } from '../../../db/content/briefs.js'
import { insertContent } from '../../../db/content/contents.js'
import type { Db } from '../../../db/index.js'
import type { Principal } from '../../../plugins/principal.js'
import type { BriefBody, BriefChannel } from '../../../schemas/content/briefs.js'
import type { Content, ContentBody } from '../../../schemas/content/contents.js'
import type { GenerateContent, GeneratedContents } from '../../../schemas/content/generations.js'
import { checkContent, type Checked, type Place } from './check-content.js'
import { BriefNotFound, BriefState } from './errors.js'
import { readContent } from './find-content.js'
import { invalid } from './invalid.js'
import { brandOf } from './read-brand.js'
import { repair } from './repair.js'
import { freeSlug } from './slug.js'
import { edit, named, placeOf } from './write-content.js'

const template = async () => ({ ...await import('./template/assemble.js') })

type Shown = GeneratedContents['contents'][number]

interface Output { place: Place, body: ContentBody, checked: Checked }

const networkOf = ({ channel, network }: BriefChannel, index: number) => {
  if (channel === 'social' && network === undefined) {
    throw invalid(`/channels/${index}/network`, 'required', 'is needed by channel social')
  }
  return network ?? null
}

const demandBrief = async (db: Db, workspaceId: string, id: string | undefined) => {
  if (id === undefined) throw invalid('/brief_id', 'required', 'is needed by mode create')
  const row = await findBrief(db, workspaceId, id)
  if (!row) throw BriefNotFound()
  if (row.status === 'archived') throw BriefState('The brief is archived')
  return row
}

const outputOf = async (db: Db, workspaceId: string, place: Place, brief: BriefBody, channel: BriefChannel):
Promise<Output> => {
  const { assemble } = await template()
  const { settings } = await brandOf(db, workspaceId, place.project_id)
  const slug = await freeSlug(db, workspaceId, place, brief.title)
  const { title, summary, body_markdown, fields, seo, citations } = assemble(brief, settings, channel)
  const body = { title, slug, summary, body_markdown, fields, seo, media: [], waivers: [], citations }
  return { place, body, checked: await checkContent(db, workspaceId, place, body) }
}

const showNew = ({ place, body, checked }: Output): Shown => ({
  ...body,
  id: null,
  revision: null,
  channel: place.channel,
  network: place.network,
  locale: place.locale,
  status: 'draft',
  version: 1,
  checks: checked.checks
})

const store = (db: Db, principal: Principal, briefId: string, outputs: Output[]): Promise<string[]> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  return named(db.transaction().execute(async (trx) => {
    const ids: string[] = []
    for (const { place, body, checked: { checks, content_hash } } of outputs) {
      const group = ids[0] === undefined ? {} : { group_id: ids[0] }
      const record = { ...place, ...group, translation_of: null, engine: 'template' as const, created_by: author }
      const first = { body, checks, content_hash, origin: 'generated' as const, author }
      ids.push(await insertContent(trx, workspaceId, record, first))
    }
    await moveBrief(trx, workspaceId, briefId, ['draft', 'ready'], 'in_use')
    return ids
  }))
}

const create = async (db: Db, principal: Principal, wish: GenerateContent): Promise<Shown[]> => {
  const { workspace_id: workspaceId } = principal
  const brief = await demandBrief(db, workspaceId, wish.brief_id)
  const outputs: Output[] = []
  for (const [index, channel] of (wish.channels ?? brief.body.channels).entries()) {
    const locale = wish.locale ?? brief.body.locales[0]
    const network = networkOf(channel, index)
    const place = await placeOf(db, workspaceId, {
      project_id: brief.project_id, brief_id: brief.id, channel: channel.channel, network, ...(locale && { locale })
    })
    const isTwice = outputs.some((one) => one.place.channel === place.channel && one.place.network === place.network)
    if (isTwice) throw invalid(`/channels/${index}`, 'unique', 'is there twice')
    outputs.push(await outputOf(db, workspaceId, place, brief.body, channel))
  }
  if (wish.dry_run) return outputs.map(showNew)
  const ids = await store(db, principal, brief.id, outputs)
  return Promise.all(ids.map((id) => readContent(db, workspaceId, id)))
}

const demandRecord = (db: Db, workspaceId: string, { content_id: id, mode }: GenerateContent): Promise<Content> => {
  if (id === undefined) throw invalid('/content_id', 'required', `is needed by mode ${mode}`)
  return readContent(db, workspaceId, id)
}

const bodyOf = (content: Content): ContentBody => {
  const { title, slug, summary, body_markdown, fields, seo, media, waivers, citations } = content
  return { title, slug, summary, body_markdown, fields, seo, media, waivers, citations }
}

const revise = async (db: Db, principal: Principal, wish: GenerateContent):
Promise<{ fixed: number, shown: Shown }> => {
  const { workspace_id: workspaceId, user_id: author } = principal
  const before = await demandRecord(db, workspaceId, wish)
  const { checks } = await checkContent(db, workspaceId, before, bodyOf(before))
  if (wish.mode === 'check') return { fixed: 0, shown: { ...before, checks } }
  const { body, fixed } = repair(bodyOf(before), checks.findings)
  if (wish.dry_run || fixed === 0) {
    const after = await checkContent(db, workspaceId, before, body)
    return { fixed, shown: { ...before, ...body, checks: after.checks } }
  }
  await edit(db, workspaceId, before, { body, origin: 'merged', author })
  return { fixed, shown: await readContent(db, workspaceId, before.id) }
}

/**
 * Makes content of a brief by the template engine, or puts a record right by rules.
 * @throws brief_not_found, brief_state, not_found, project_archived, locale_not_enabled, stale_revision, slug_taken
 */
export const generate = async (db: Db, principal: Principal, wish: GenerateContent): Promise<GeneratedContents> => {
  const { banner, engineVersion } = await template()
  const said = {
    mode: wish.mode,
    engine: 'template' as const,
    engine_version: engineVersion,
    is_prose_generated: false,
    banner,
    dry_run: wish.dry_run
  }
  if (wish.mode === 'create') return { ...said, fixed: 0, contents: await create(db, principal, wish) }
  const { fixed, shown } = await revise(db, principal, wish)
  return { ...said, fixed, contents: [shown] }
}
