import type { AccountRow } from '../../../../db/cloud/accounts.js'
import { personSession } from '../../../../lib/aws/sessions.js'
import type { CloudTrail, LogQuery, TrailQuery } from '../../../../schemas/cloud/account-test.js'
import {
  capabilityNames, statusOf, type Capabilities, type CloudAccount, type CloudAuth, type CloudSessions
} from '../../../../schemas/cloud/accounts.js'
import { byKey } from '../../../../schemas/unknown.js'

const notNarrowed = {
  access_keys: 'AWS cannot narrow access keys: whatever is sent may do all that their user may. Use a role instead',
  ambient: 'The identity of the server itself is used as it is: whatever is sent may do all that it may. Use a role ' +
    'instead'
}

/** @returns what the trust policy lacks; null where nothing is known to be missing */
const lackOf = ({ session_marks: marks }: AccountRow): string | null => {
  if (marks === null) return null
  const actions = [
    ...(marks.tags ? [] : ['sts:TagSession']),
    ...(marks.source_identity ? [] : ['sts:SetSourceIdentity'])
  ]
  return actions.length === 0
    ? null
    : `The trust policy of the role lacks ${actions.join(' and ')}, so CloudTrail shows less of who asked for a ` +
      'change. Add it as docs/cloud-accounts.md shows, then test the account'
}

const describeSessions = (account: AccountRow): CloudSessions => {
  const { auth: { type }, session_marks: marks } = account
  if (type !== 'assume_role') return { narrowed: false, reason: notNarrowed[type], tags: false, source_identity: false }
  return {
    narrowed: true,
    reason: lackOf(account),
    tags: marks?.tags ?? null,
    source_identity: marks?.source_identity ?? null
  }
}

const columns = 'eventtime, eventsource, eventname, requestparameters, errorcode, requestid, ' +
  'useridentity.arn, useridentity.accesskeyid'

/** The ids of people and approvals are UUIDs: nothing in them means anything to a shell or to SQL. */
const lookUp = (region: string, attribute: string, value: string, more = '') =>
  `aws cloudtrail lookup-events --region ${region} ` +
  `--lookup-attributes AttributeKey=${attribute},AttributeValue=${value}${more}`

const byPerson = ({ default_region: region }: AccountRow, userId: string): LogQuery => ({
  command: lookUp(region, 'Username', personSession(userId)),
  // A session without tags has the run at the end of its name.
  sql: `SELECT ${columns} FROM cloudtrail_logs\n` +
    `WHERE useridentity.arn LIKE '%/${personSession(userId)}%'\nORDER BY eventtime`
})

/** The call that opened the session has the approval among its tags; its answer names the key of all that follows. */
const byApproval = ({ default_region: region }: AccountRow, confirmationId: string): LogQuery => ({
  command: lookUp(region, 'EventName', 'AssumeRole',
    ` --query "Events[?contains(CloudTrailEvent, '${confirmationId}')].CloudTrailEvent" --output text`),
  sql: `SELECT ${columns} FROM cloudtrail_logs\n` +
    'WHERE useridentity.accesskeyid IN (\n' +
    "  SELECT json_extract_scalar(responseelements, '$.credentials.accessKeyId') FROM cloudtrail_logs\n" +
    "  WHERE eventsource = 'sts.amazonaws.com' AND eventname = 'AssumeRole'\n" +
    `    AND requestparameters LIKE '%${confirmationId}%'\n)\nORDER BY eventtime`
})

/** @returns what to ask CloudTrail of the account; null for what was not asked for, or what it cannot know */
export const queryTrail = (account: AccountRow, { user_id: user, confirmation_id: confirmation }: TrailQuery):
CloudTrail => {
  const { narrowed, reason, tags } = describeSessions(account)
  return {
    narrowed,
    reason,
    person: narrowed && user !== undefined ? byPerson(account, user) : null,
    approval: narrowed && tags !== false && confirmation !== undefined ? byApproval(account, confirmation) : null
  }
}

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
