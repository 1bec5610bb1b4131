import type { AccountRow } from '../../../../db/cloud/accounts.js'
import {
  capabilityNames, statusOf, type Capabilities, type CloudAccount, type CloudAuth
} from '../../../../schemas/cloud/accounts.js'
import { byKey } from '../../../../schemas/keys.js'
import { describeSessions } from './describe-sessions.js'

const dayMs = 86_400_000

const describeAuth = ({ auth, secret }: AccountRow): CloudAuth => {
  if (auth.type === 'ambient') return { type: 'ambient' }
  if (auth.type === 'assume_role') return { ...auth, base: 'ambient' }
  const age = Math.floor((Date.now() - Date.parse(auth.rotated_at)) / dayMs)
  return { ...auth, has_secret: secret !== null, age_days: Math.max(0, age) }
}

/** @returns the row as the API returns it: without the workspace and without the secret */
export const describeAccount = (account: AccountRow): CloudAccount => {
  const { workspace_id: _workspace, secret: _secret, session_marks: _marks, ...row } = account
  return {
    ...row,
    status: statusOf(account),
    auth: describeAuth(account),
    sessions: describeSessions(account),
    capabilities: completeCapabilities(row.capabilities)
  }
}

/** @returns all names; what no test found yet is unknown */
export const completeCapabilities = (found: Partial<Capabilities>): Capabilities =>
  // Every name of the list is set here, so the object is whole.
  byKey(capabilityNames, (name) => found[name] ?? 'unknown')
