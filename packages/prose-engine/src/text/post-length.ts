import { networkLimits, type Network } from '../schemas/channels.js'
import { graphemes } from './graphemes.js'

/** Addresses in a post, with the brackets that they close; a mark at the end of one belongs to the sentence. */
export const postAddress =
  /\bhttps?:\/\/(?:[^\s<>"()]|\([^\s<>"()]*\))*(?:[^\s<>".,;:!?'’”()\]]|\([^\s<>"()]*\))/g

/** What every address counts at Mastodon, however long it is. */
const counted = 'x'.repeat(23)
/** A handle counts without the domain of its server. */
const handle = /(?<![\p{L}\p{N}_/@])@([a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@[\p{L}\p{N}.-]*[\p{L}\p{N}]/giu

/** @returns the characters of a post as its network counts them */
export const postLength = (network: Network, text: string): number => network === 'mastodon'
  ? graphemes(text.replace(postAddress, counted).replace(handle, '@$1'))
  : graphemes(text)

/** Bytes of UTF-8 that a post may have besides: one emoji can have 25 of them, and is one character. */
const maxBytes: Partial<Record<Network, number>> = { bluesky: 3_000 }

/** @returns why the network refuses the length of a post; undefined where it takes it */
export const whyTooLong = (network: Network, text: string, limit = networkLimits[network]): string | undefined => {
  const length = postLength(network, text)
  if (length > limit) return `${length} characters; ${network} takes ${limit}`
  const most = maxBytes[network] ?? Infinity
  const bytes = Buffer.byteLength(text)
  return bytes > most ? `${bytes} bytes; ${network} takes ${most}` : undefined
}
