import type { ShownPublication } from '../../../../db/content/publications.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { Publication } from '../../../../schemas/content/publications.js'

/** @returns the publication for the API: without its principal and its lease */
export const describePublication = (row: ShownPublication): Publication => {
  const { workspace_id, principal, lease_epoch, attempt_count, ...shown } = row
  // An earlier release may have stored a site's URL that is not safe as a link.
  const external = shown.external && { ...shown.external, url: toWebLink(shown.external.url) }
  return { ...shown, external }
}
