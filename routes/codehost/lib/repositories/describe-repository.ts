import type { KnownRepository, SeenRepository } from '../../../../db/codehost/repositories.js'
import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Repository } from '../../../../schemas/codehost/repositories.js'
import type { HostRepository } from '../../../../schemas/codehost/upstream.js'
import { storable, toAccountId, toTime } from '../read-host.js'

const permissionOf = ({ permissions }: HostRepository): Repository['permission'] => {
  if (permissions?.admin) return 'admin'
  return permissions?.push || permissions?.maintain ? 'write' : 'read'
}

/** Hosts without `private` may have `visibility`, of which only `public` means everybody. */
const isPrivate = ({ private: hidden, visibility }: HostRepository): boolean =>
  hidden ?? (visibility ? visibility !== 'public' : false)

/** @returns the fields of a repository that are stored when a person has seen it */
export const seenOf = (host: HostRepository): SeenRepository => ({
  id: String(host.id),
  full_name: host.full_name,
  default_branch: storable(host.default_branch || 'main'),
  private: isPrivate(host),
  permission: permissionOf(host)
})

/** Webhooks are late, and clocks differ. */
const slackMs = 300_000

/** That a webhook came once says nothing of today: a push that none reported shows that they are missing. */
const syncStateOf = ({ pushed_at: pushed }: HostRepository, known: KnownRepository | undefined):
Repository['sync']['state'] => {
  if (known?.sync_state !== 'live') return known?.sync_state ?? 'disconnected'
  const [last, at] = [known.last_event_at?.getTime() ?? 0, toTime(pushed)?.getTime() ?? 0]
  return at > last + slackMs ? 'stale' : 'live'
}

export const describeRepository = (host: HostRepository, known: KnownRepository | undefined): Repository => {
  const [ownerLogin = '', name = ''] = host.full_name.split('/')
  return {
    ...seenOf(host),
    owner: {
      id: toAccountId(host.owner),
      login: host.owner?.login || ownerLogin,
      type: host.owner?.type ?? null
    },
    name,
    description: host.description ?? null,
    archived: host.archived ?? false,
    fork: host.fork ?? false,
    html_url: toWebLink(host.html_url),
    language: host.language ?? null,
    pushed_at: toTime(host.pushed_at),
    updated_at: toTime(host.updated_at),
    sync: {
      state: syncStateOf(host, known),
      last_event_at: known?.last_event_at ?? null,
      last_synced_at: known?.last_synced_at ?? null,
      activity_complete_from: known?.activity_complete_from ?? null
    }
  }
}
