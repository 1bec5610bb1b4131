import type { PublicationRow } from '../../../../db/content/publications.js'
import type { Publication } from '../../../../schemas/content/publications.js'

/** @returns the publication as it crosses the wire: without whom it is sent as, and who holds it */
export const describePublication = (row: PublicationRow): Publication => {
  const { workspace_id, principal, lease_epoch, attempt_count, ...shown } = row
  return shown
}
