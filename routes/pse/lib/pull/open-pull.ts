import type { Principal } from '../../../../lib/security/principal.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import { OpenedPull } from '../../../../schemas/codehost/pulls.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import type { OpenedSpecPull, OpenSpecPull } from '../../../../schemas/pse/pull.js'
import type { Deps } from '../deps.js'
import { exportVersion } from '../sessions/export-version.js'
import { describeVersion, readVersion } from '../sessions/read-version.js'
import { describeSpecPull } from './describe-pull.js'
import { findFeature } from './find-feature.js'

/**
 * Puts a version's export into a pull request through the area codehost, as the calling person. The same version
 * changes nothing; a newer one updates the same pull request. Resolves the default branch once and names it.
 * @throws not_found, no_version, invalid_request, and what openPull of the code host throws
 */
export const openSpecPull = async (deps: Deps, principal: Principal, sessionId: string, input: OpenSpecPull):
Promise<OpenedSpecPull> => {
  const session = { workspace_id: principal.workspace_id, session_id: sessionId }
  const url = `/codehost/repos/${encodeURIComponent(input.repo_id)}`
  const base = input.base ?? (await readRoute(deps, principal, { url }, Repository)).default_branch
  const { document, version } = await readVersion(deps.db, session.workspace_id, sessionId, input.version)
  const feature = await findFeature(document.title, { ...input, base }, (folder, shape) =>
    readRoute(deps, principal, { url: folder }, shape))
  const { row, files } = await exportVersion(deps.db, session,
    { ...input, version, ...(feature !== undefined && { feature_number: feature }) }, true)
  const made = describeVersion(row)
  const { expected_head } = input
  const pull = describeSpecPull(made, files, { ...input, base })
  const payload = { ...pull, ...(expected_head !== undefined && { expected_head }) }
  const opened = await readRoute(deps, principal, { method: 'POST', url: `${url}/pulls`, payload }, OpenedPull)
  return { version: made.version, layout: input.layout, paths: payload.files.map(({ path }) => path), ...opened }
}
