import type { Schemas } from '../../api/client'
import { say, type Key } from '../../texts/say'

export type Channel = Schemas['BriefChannel']['channel']
export type Network = NonNullable<Schemas['BriefChannel']['network']>

export const channels = {
  blog: 'contents.channel.blog',
  social: 'contents.channel.social',
  email: 'contents.channel.email',
  docs: 'contents.channel.docs',
  landing: 'contents.channel.landing',
  release_notes: 'contents.channel.releaseNotes'
} as const satisfies Record<Channel, Key>

export const networks = {
  x: 'contents.network.x',
  linkedin: 'contents.network.linkedin',
  bluesky: 'contents.network.bluesky',
  mastodon: 'contents.network.mastodon',
  threads: 'contents.network.threads',
  instagram: 'contents.network.instagram',
  facebook: 'contents.network.facebook'
} as const satisfies Record<Network, Key>

/** @returns where it stands: the network of a post, else its channel */
export const formatChannel = ({ channel, network }: { channel: Channel, network: Network | null }): string =>
  say(network === null ? channels[channel] : networks[network])
