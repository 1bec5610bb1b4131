import { Words } from '../common.js'

/** What a person may do, weakest first; `member` is the word of earlier releases for `approver`. */
export const roles = ['none', 'viewer', 'operator', 'member', 'approver', 'admin'] as const
export type Role = typeof roles[number]

/** A role reaches all whose rank is not higher than its own. */
export const ranks: Record<Role, number> = { none: 0, viewer: 1, operator: 2, member: 3, approver: 3, admin: 4 }

export const Role = Words(roles, {
  description: 'none < viewer < operator < approver < admin, in the whole workspace. member is an approver, too. ' +
    'Bindings add to it'
})
