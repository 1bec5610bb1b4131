import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../common.js'

/** What one of several policies asks for that name groups which have none in common. */
export const GroupDemand = Type.Object({
  approvals: Type.Integer({ minimum: 1, description: 'People who have to approve' }),
  groups: Type.Array(Id, { description: 'Of one of these groups' }),
  escalate_to: Type.Array(Id, { description: 'These count, too, once the question has escalated' })
}, { $id: 'ApprovalGroupDemand' })
export type GroupDemand = Static<typeof GroupDemand>

/** What a question needs for an approval, as it was judged when it was asked. */
export const Requirement = Type.Object({
  approvals: Type.Integer({ minimum: 1, description: 'People who have to approve' }),
  groups: Type.Array(Id, { description: 'Only people of one of these groups count; empty = whoever may approve it' }),
  each: Type.Optional(Type.Array(GroupDemand, {
    description: 'Policies name groups that have none in common: all of these have to be met, each by so many people. ' +
      'One who is in groups of several counts for each'
  })),
  exclude_requester: Type.Boolean({ description: 'The person who asked may not be one of them' }),
  escalate: Nullable(Type.Object({
    after_s: Type.Integer({ minimum: 60, description: 'Seconds after which the groups below count, too' }),
    groups: Type.Array(Id)
  })),
  signed: Type.Optional(Type.Boolean({ description: 'Each of them signs the plan with a passkey; absent = no' })),
  policy_version: Nullable(Type.Integer({ description: 'The version of the policies that applied; null = none' })),
  policies: Type.Array(Type.String(), { description: 'The ids of the policies that decided' })
}, { $id: 'ApprovalRequirement', description: 'Who has to approve it' })
export type Requirement = Static<typeof Requirement>

/** Without policies: one person, who may be the one who asked. */
export const ordinaryRequirement: Requirement =
  { approvals: 1, groups: [], exclude_requester: false, escalate: null, policy_version: null, policies: [] }
