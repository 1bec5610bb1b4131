import type { AccountRow } from '../../../../db/cloud/accounts.js'
import type { CloudSessions } from '../../../../schemas/cloud/accounts.js'

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

export const describeSessions = (account: AccountRow): CloudSessions => {
  const { auth: { type }, session_marks: marks } = account
  if (type !== 'assume_role') return { narrowed: false, reason: notNarrowed[type], tags: false, source_identity: false }
  return {
    narrowed: true,
    reason: lackOf(account),
    tags: marks?.tags ?? null,
    source_identity: marks?.source_identity ?? null
  }
}
