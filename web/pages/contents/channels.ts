import type { Schemas } from '../../api/client'

export type Channel = Schemas['BriefChannel']['channel']
export type Network = NonNullable<Schemas['BriefChannel']['network']>

export const channels: Record<Channel, string> = {
  blog: 'Blog', social: 'Social', email: 'E-mail', docs: 'Docs', landing: 'Landing page', release_notes: 'Release notes'
}

export const networks: Record<Network, string> = {
  x: 'X',
  linkedin: 'LinkedIn',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  threads: 'Threads',
  instagram: 'Instagram',
  facebook: 'Facebook'
}
