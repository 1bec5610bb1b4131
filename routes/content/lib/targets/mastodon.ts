import { setTimeout } from 'node:timers/promises'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { Deps } from './outcome.js'
import type { PostNetwork } from './deliver-thread.js'
import {
  imagesOfPost, type PostImage, makeSiteClient, requireAnswer, secretOf, type CallSite, SiteRefused
} from './site.js'

/** A status of the client API, as far as we read it. */
interface Status { id: string, url: string | null }

const statuses = '/api/v1/statuses'

/** Mastodon keeps an Idempotency-Key for an hour; five minutes are for the clocks. */
const recognizesMs = 55 * 60_000

/** An attachment; the instance has no address for it while it works on it. */
interface Attachment { id: string, url: string | null }

const form = async ({ body, mediaType, extension, alt }: PostImage): Promise<{ body: Buffer, type: string }> => {
  const data = new FormData()
  data.append('file', new Blob([new Uint8Array(body)], { type: mediaType }), `image.${extension}`)
  data.append('description', alt)
  const encoded = new Response(data)
  return { body: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' }
}

const pollMs = 500
const maxPolls = 40

/** @returns the id of the attachment once a status may name it. @throws SiteRefused */
const attach = async (call: CallSite, image: PostImage): Promise<string> => {
  const { body, type } = await form(image)
  // The API answers an attachment; requireAnswer has refused errors.
  const { id, url } = requireAnswer(await call('POST', '/api/v2/media', body, { 'content-type': type })) as Attachment
  let isReady = url !== null
  for (let poll = 0; !isReady && poll < maxPolls; poll++) {
    await setTimeout(pollMs)
    const { status } = await call('GET', `/api/v1/media/${encodeURIComponent(id)}`)
    if (status >= 300) throw new SiteRefused(status)
    // 206 says that it is still at work.
    isReady = status === 200
  }
  return id
}

/** Mastodon by its client API, with an access token that has write:statuses, and write:media for images. */
export const openMastodon = async (deps: Deps, row: PublicationRow, target: StoredTarget,
  content: Content): Promise<PostNetwork> => {
  const { locale } = content
  const token = await secretOf(deps, row.workspace_id, target)
  const call = makeSiteClient(deps, target, () => ({ authorization: `Bearer ${token}` }))
  const [language = ''] = locale.split('-')
  return {
    recognizesMs,
    recall: (ids) => ids.map((id) => ({ id, url: null })),
    async post ({ text, index, before }) {
      const parent = before.at(-1)
      const images = index === 0 ? await imagesOfPost(deps, row.workspace_id, 'mastodon', content) : []
      const media_ids: string[] = []
      for (const image of images) media_ids.push(await attach(call, image))
      const status = {
        status: text,
        language,
        visibility: target.config.visibility ?? 'public',
        ...(media_ids.length > 0 && { media_ids }),
        ...(parent && { in_reply_to_id: parent.id })
      }
      const answer = await call('POST', statuses, status, { 'idempotency-key': `${row.id}:${index}` })
      // The API answers a status; requireAnswer has refused errors.
      const { id, url } = requireAnswer(answer) as Status
      return { id, url }
    },
    async remove (id) {
      const { status } = await call('DELETE', `${statuses}/${encodeURIComponent(id)}`)
      if (status !== 404 && status >= 300) throw new SiteRefused(status)
    }
  }
}
