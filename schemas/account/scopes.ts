import { Type } from '@sinclair/typebox'

/** The first part of a scope. */
export const areas = [
  'agent', 'cloud', 'infrastructure', 'deployments', 'pse', 'content', 'codehost', 'account'
] as const

type Area = typeof areas[number]
export type Scope = `${Area}:${'read' | 'write'}` | 'codehost:email' | 'approvals:write'

/** Deciding approvals is a right of its own: an assistant that may write must not be able to approve. */
export const approvals: Scope = 'approvals:write'
/** E-mail addresses in commits are people's: reading commits alone does not show them. */
export const emails: Scope = 'codehost:email'
export const allScopes: Scope[] = [
  ...areas.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]), emails, approvals
]

export const Scope = Type.Unsafe<Scope>({
  $id: 'Scope',
  type: 'string',
  enum: allScopes,
  description: 'What a token may do: read or write in one area, see e-mail addresses in commits, or decide approvals'
})
