import {
  findPublication, listPublications, movePublication, type PublicationRow, type ShownPublication
} from '../../../../db/content/publications.js'
import { recompute } from '../../../../db/content/placements.js'
import { lockContent } from '../../../../db/content/contents.js'
import { enqueueDue, workDue } from '../../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Publication, PublicationState } from '../../../../schemas/content/publications.js'
import { NotFound } from '../../../../schemas/errors.js'
import { PublicationBusy } from '../errors.js'
import { publicationKind, hideImagesOf } from './deliver.js'
import type { Deps } from '../targets/outcome.js'
import { describePublication } from './describe-publication.js'
import type { Written } from './publish.js'
import { messageOf } from '../../../../schemas/unknown.js'

const waitMs = 10_000

/** Delivers what is due now, if this process runs work; after the timeout it continues in the background. */
const deliverNow = async (deps: Deps, rows: PublicationRow[]): Promise<void> => {
  const due = rows.filter(({ state }) => state === 'queued')
  if (deps.config.WORKER === 'false' || due.length === 0) return
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => { timer = setTimeout(resolve, waitMs) })
  const work = Promise.all(due.map((row) => workDue(deps, publicationKind, row)))
    .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'publication left to its job'))
  await Promise.race([work, enough])
  clearTimeout(timer)
}

const settled = ['succeeded', 'failed', 'cancelled']

/** @returns the publications as they are after a while, and whether all have ended */
export const followUp = async (deps: Deps, workspaceId: string, contentId: string, written: Written,
  again: string[] = []):
Promise<{ items: Publication[], ended: boolean }> => {
  for (const row of written.made) {
    const seconds = row.publish_at ? (row.publish_at.getTime() - Date.now()) / 1000 : 0
    await enqueueDue(deps, publicationKind, row, seconds)
  }
  await deliverNow(deps, written.made)
  const ids = new Set([...written.rows.map(({ id }) => id), ...again])
  const rows = (await listPublications(deps.db, workspaceId, contentId)).filter(({ id }) => ids.has(id))
  return { items: rows.map(describePublication), ended: rows.every(({ state }) => settled.includes(state)) }
}

const find = async (deps: Deps, workspaceId: string, contentId: string, id: string): Promise<ShownPublication> => {
  const row = await findPublication(deps.db, workspaceId, id)
  if (row?.content_id !== contentId) throw NotFound()
  return row
}

type To = 'cancelled' | 'queued'

const movable: Record<To, PublicationState[]> = { queued: ['failed'], cancelled: ['scheduled', 'queued', 'retrying'] }

/** @throws publication_state */
export const requireMovable = (from: PublicationState, to: To): void => {
  if (from !== to && !movable[to].includes(from)) throw PublicationBusy(`It is ${from}`)
}

/** @throws not_found, publication_state */
export const movePublished = async (deps: Deps, principal: Principal, contentId: string, id: string,
  to: To): Promise<Publication> => {
  const { workspace_id: workspaceId } = principal
  const before = await find(deps, workspaceId, contentId, id)
  const moved = await deps.db.transaction().execute(async (trx) => {
    await lockContent(trx, workspaceId, contentId)
    if (!await movePublication(trx, workspaceId, id, movable[to], to)) return false
    await hideImagesOf(trx, before, to)
    await recompute(trx, workspaceId, contentId)
    return true
  })
  if (!moved && before.state !== to) throw PublicationBusy(`It is ${before.state}`)
  if (moved && to === 'queued') {
    await enqueueDue(deps, publicationKind, before)
    await deliverNow(deps, [{ ...before, state: 'queued' }])
  }
  return describePublication(await find(deps, workspaceId, contentId, id))
}
