import type { Principal } from '../../../../plugins/principal.js'
import { askRoute } from '../../../../plugins/route-call.js'
import type { OpenedPull } from '../../../../schemas/codehost/pulls.js'
import type { OpenedSpecPull, OpenSpecPull } from '../../../../schemas/pse/pull.js'
import type { Deps } from '../deps.js'
import { describeVersion, readVersion } from '../read-version.js'
import { describeSpecPull } from './describe-pull.js'

/**
 * Puts a version's export into a pull request, as the person who asks, by the code host's own operation: again with
 * the same version changes nothing, a newer version updates the same pull request.
 * @throws not_found, no_version, and what openPull of the code host throws
 */
export const openSpecPull = async (deps: Deps, principal: Principal, sessionId: string, wish: OpenSpecPull):
Promise<OpenedSpecPull> => {
  const made = describeVersion(await readVersion(deps.db, principal.workspace_id, sessionId, wish.version))
  const payload = describeSpecPull(made, wish)
  const url = `/codehost/repos/${encodeURIComponent(wish.repo_id)}/pulls`
  // The answer's schema is OpenedPull.
  const opened = await askRoute(deps, principal, { method: 'POST', url, payload }) as unknown as OpenedPull
  return { version: made.version, layout: wish.layout, paths: payload.files.map(({ path }) => path), ...opened }
}
