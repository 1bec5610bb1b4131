import type { StoredBrand, StoredTarget } from '../../../../db/content/tables.js'
import type { ContentSummary } from '../../../../schemas/content/contents.js'
import type { TargetKind } from '../../../../schemas/content/targets.js'

const fits = (list: readonly string[], value: string) => list.length === 0 || list.includes(value)

type Taken = Pick<ContentSummary, 'channel' | 'locale' | 'network'>

/** A target of one network, or of mail, takes what was written for it. */
const isFor = (kind: TargetKind, { channel, network }: Taken): boolean => {
  if (kind === 'mail') return channel === 'email'
  if (kind === 'mastodon' || kind === 'bluesky' || kind === 'linkedin') return channel === 'social' && network === kind
  return true
}

/** @returns the enabled targets that take a record of this channel, network and locale */
export const fittingTargets = ({ publish_targets: targets }: StoredBrand,
  record: Taken): StoredTarget[] =>
  targets.filter(({ kind, enabled, channels, locales }) =>
    enabled && isFor(kind, record) && fits(channels, record.channel) && fits(locales, record.locale))
