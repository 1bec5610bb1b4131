import type { ShownPublication } from '../../../../db/content/publications.js'
import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Publication } from '../../../../schemas/content/publications.js'

/** @returns the publication as it crosses the wire: without whom it is sent as, and who holds it */
export const describePublication = (row: ShownPublication): Publication => {
  const { workspace_id, principal, lease_epoch, attempt_count, ...shown } = row
  // What an earlier release stored of a site's answer may be no link that a browser may follow.
  const external = shown.external && { ...shown.external, url: toWebLink(shown.external.url) }
  return { ...shown, external }
}
