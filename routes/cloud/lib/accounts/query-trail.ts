import type { AccountRow } from '../../../../db/cloud/accounts.js'
import { personSession } from '../../../../lib/aws/session-name.js'
import type { CloudTrail, LogQuery, TrailQuery } from '../../../../schemas/cloud/trail.js'
import { describeSessions } from './describe-sessions.js'

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
