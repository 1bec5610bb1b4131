import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, page } from '../common.js'
import { PersonName } from './person-name.js'

export const Delegation = Type.Object({
  id: Id,
  from: PersonName,
  to: PersonName,
  until: Timestamp,
  revoked_at: Nullable(Timestamp),
  created_at: Timestamp
}, { $id: 'Delegation', description: '`to` approves for `from`, as one of the groups of `from`, until a time' })
export type Delegation = Static<typeof Delegation>

export const DelegationPage = page(Delegation, 'DelegationPage')
export const ListDelegations = Type.Object(PageQuery)
export const DelegationParams = Type.Object({ delegation_id: Id })

export const CreateDelegation = Type.Object({
  to: Type.Unsafe<string>({ ...Id, description: 'Who approves for me' }),
  until: Type.String({ format: 'date-time', maxLength: 40, description: 'At most 30 days from now' })
}, { $id: 'CreateDelegation', additionalProperties: false })
export type CreateDelegation = Static<typeof CreateDelegation>
