import type { PublicationRow } from '../../../../db/content/publications.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { External, PublicationState } from '../../../../schemas/content/publications.js'
import { type Outcome, postsOf, neverKnown, uncertainSince } from './outcome.js'
import { toFailure } from './site.js'

/** A post at a network. */
export interface Posted {
  id: string
  url: string | null
  /** By which replies name this version of it, at networks that have it. */
  cid?: string
}

export interface NewPost { text: string, index: number, before: readonly Posted[] }

/** A network of posts, in its own protocol. Each call may throw SiteRefused or OutboundError. */
export interface PostNetwork {
  /** How long it recognizes a post that is sent again, in ms. */
  recognizesMs: number
  /** @returns the posts of an earlier attempt that need not be sent again */
  recall: (ids: readonly string[]) => Posted[]
  post: (post: NewPost) => Promise<Posted>
  /** One that is gone already is removed. */
  remove: (id: string) => Promise<void>
}

const externalOf = (posted: readonly Posted[], url: string | null | undefined): External => ({
  id: posted[0]?.id ?? null,
  url: toWebLink(posted[0]?.url ?? url ?? null),
  pr_number: null,
  ids: posted.map(({ id }) => id)
})

const removeThread = async (network: PostNetwork, external: External | null): Promise<Outcome> => {
  for (const id of external?.ids?.toReversed() ?? []) await network.remove(id)
  return { state: 'succeeded', error: null, http_status: 200 }
}

/** Sends post after post; what arrived before an error is kept, and not sent again. */
const postThread = async (network: PostNetwork, { external }: PublicationRow, texts: readonly string[]):
Promise<Outcome> => {
  const posted = network.recall(external?.ids ?? [])
  try {
    for (const [index, text] of texts.entries()) {
      if (index >= posted.length) posted.push(await network.post({ text, index, before: posted }))
    }
  } catch (error) {
    const kept = posted.length > 0 && { external: externalOf(posted, external?.url) }
    return { ...toFailure(error), ...kept }
  }
  return { state: 'succeeded', error: null, http_status: 200, external: externalOf(posted, external?.url) }
}

/**
 * Publishes the posts of a record as one thread, or removes them. A network does not let others change a post that
 * people have answered, so another version is published after the one before is taken back.
 * @param last the thread when it was last live
 */
export const deliverThread = async (open: () => Promise<PostNetwork>, row: PublicationRow, was: PublicationState,
  content: Content, last: External | null): Promise<Outcome> => {
  if (row.action === 'update') return { state: 'failed', error: 'posts_not_editable', http_status: null }
  try {
    const network = await open()
    if (row.action === 'unpublish') return await removeThread(network, last)
    const since = uncertainSince(row, was)
    if (since && Date.now() - since.getTime() > network.recognizesMs) return neverKnown
    return await postThread(network, row, postsOf(content))
  } catch (error) {
    return toFailure(error)
  }
}
