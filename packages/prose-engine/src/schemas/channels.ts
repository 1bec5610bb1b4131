import { Type } from '@sinclair/typebox'
import { Words } from './fields.js'

export const channels = ['blog', 'social', 'email', 'docs', 'landing', 'release_notes'] as const
export type Channel = typeof channels[number]
export const Channel = Words(channels)

export const networks = ['x', 'linkedin', 'bluesky', 'mastodon', 'threads', 'instagram', 'facebook'] as const
export type Network = typeof networks[number]
export const Network = Words(networks, { description: 'Of channel social: where it is posted' })

export const Channels = Type.Array(Channel, { maxItems: channels.length, uniqueItems: true })

export const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$',
  examples: ['en-GB'],
  maxLength: 12,
  description: 'BCP 47, such as en-GB'
})

export const Locales = Type.Array(Locale, { maxItems: 20, uniqueItems: true })

/** Graphemes that a post of the network may have. */
export const networkLimits: Record<Network, number> = {
  x: 280, linkedin: 3000, bluesky: 300, mastodon: 500, threads: 500, instagram: 2200, facebook: 63_206
}
