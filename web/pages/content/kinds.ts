import type { Schemas } from '../../api/client'
import { say, type Key } from '../../texts/say'

type Kind = Schemas['PublishTarget']['kind']

/** What a target is, by its kind: the names of products are the same in every language. */
export const kinds = {
  webhook: 'brand.kind.webhook',
  git_pr: 'brand.kind.pull',
  feed: 'brand.kind.feed',
  wordpress: 'brand.kind.wordpress',
  ghost: 'brand.kind.ghost',
  mail: 'contents.channel.email',
  mastodon: 'contents.network.mastodon',
  bluesky: 'contents.network.bluesky',
  linkedin: 'brand.kind.linkedin'
} as const satisfies Record<Kind, Key>

const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)

/** @returns the name of a kind; one of a later server stays as it came */
export const formatKind = (kind: string): string => isKind(kind) ? say(kinds[kind]) : kind
