import type { Principal } from '../../../lib/security/principal.js'
import { InsufficientScope } from '../../../schemas/errors.js'

/**
 * A person's role, status and sessions have no scopes: a scoped token that could change or hand them out
 * would give more than it holds.
 * @param why what the operation would give, as the beginning of a sentence
 * @throws insufficient_scope
 */
export const requireUnscoped = ({ scopes }: Principal, why: string): void => {
  if (scopes !== null) throw InsufficientScope(`${why}: use a browser session or ADMIN_TOKEN for this`)
}
