import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type {
  ContentRendering, ContentRenderings, RenderedPart, RenderingsQuery
} from '../../../../schemas/content/renderings.js'
import { readContent } from '../texts/find-content.js'
import { addressOf } from '../texts/html-of.js'
import { whyTooLong, withSearchTitle } from 'steward-prose-engine/text'
import { invalid } from '../invalid.js'
import { brandOf } from '../brands/read-brand.js'
import { describeTarget } from './describe-target.js'
import { problemsOfHtml } from './find-problems.js'
import { findImageProblems, imagesFor } from './image-problems.js'
import { fittingTargets } from './fitting-targets.js'
import { renderTarget } from './render-target.js'
import { isShown } from './what-is-shown.js'

/** Where the HTML will stand: a post is on the target's own site, a feed and an event stand nowhere. */
const standsAt = ({ kind, config }: StoredTarget, content: Content): string | undefined =>
  kind === 'wordpress' || kind === 'ghost' ? addressOf(content, config.url) : undefined

const tooLong = (kind: StoredTarget['kind'], parts: RenderedPart[]): ContentRendering['problems'] => {
  if (kind !== 'mastodon' && kind !== 'bluesky' && kind !== 'linkedin') return []
  return parts.filter(({ text }) => whyTooLong(kind, text) !== undefined)
    .map(({ name: part }) => ({ code: 'too_long', part, address: '' }))
}

interface Shown { db: Db, workspaceId: string, content: Content, site: string | undefined, origin: string }

const problemsOf = async (target: StoredTarget, { db, workspaceId, content, origin }: Shown, parts: RenderedPart[]):
Promise<ContentRendering['problems']> => {
  const isEmpty = !await isShown(target.kind, content)
  return [
    ...(isEmpty ? [{ code: 'nothing_to_show' as const, part: parts.at(-1)?.name ?? '', address: '' }] : []),
    ...tooLong(target.kind, parts),
    ...await findImageProblems(db, workspaceId, target, content, origin),
    ...parts.filter(({ media_type: type }) => type === 'text/html')
      .flatMap((part) => problemsOfHtml(part, standsAt(target, content)))
  ]
}

/** @throws text_too_complex, overloaded */
const render = async (target: StoredTarget, shown: Shown): Promise<ContentRendering> => {
  const { content, site } = shown
  const parts = await renderTarget(target, content, site)
  return {
    target_id: target.target_id,
    target_name: target.name,
    kind: target.kind,
    destination: describeTarget(target),
    parts,
    images: imagesFor(target, content),
    problems: await problemsOf(target, shown, parts)
  }
}

/**
 * @param origin where browsers reach the workspace, and its images
 * @returns what each target of the brand would get of a version, approved or not
 * @throws not_found, invalid_request for a target that would not get it, text_too_complex, overloaded
 */
export const showRenderings = async (db: Db, workspaceId: string, origin: string, id: string,
  { version, target_id: only }: RenderingsQuery): Promise<ContentRenderings> => {
  const record = await readContent(db, workspaceId, id, version)
  const { settings } = await brandOf(db, workspaceId, record.project_id)
  const content = withSearchTitle(record, settings.seo)
  const all = fittingTargets(settings, record)
  const targets = only === undefined ? all : all.filter(({ target_id: one }) => one === only)
  if (only !== undefined && targets.length === 0) {
    throw invalid('/target_id', 'unknown', 'is no enabled target for this record')
  }
  const shown = { db, workspaceId, content, origin, site: settings.seo.canonical_base }
  const items = await Promise.all(targets.map((target) => render(target, shown)))
  return { version: record.version, items }
}
