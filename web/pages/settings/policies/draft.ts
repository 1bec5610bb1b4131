import type { Schemas } from '../../../api/client'

/** What an admin writes: the policies, and the examples that test them. */
export interface Draft { text: string, examples: Schemas['PolicyExample'][] }

const key = 'steward-policies'

/** @returns what was typed in this tab and not saved */
export const readTyped = (): Draft | undefined => {
  const stored = sessionStorage.getItem(key)
  // This tab wrote it.
  return stored === null ? undefined : JSON.parse(stored) as Draft
}

export const keepTyped = (typed: Draft | undefined): void => {
  if (typed) sessionStorage.setItem(key, JSON.stringify(typed))
  else sessionStorage.removeItem(key)
}

/** @returns what is saved: the draft, else what holds */
export const savedIn = ({ draft, enabled }: Schemas['Policies']): Draft => {
  const { text, examples } = draft ?? enabled ?? { text: '', examples: [] }
  return { text, examples }
}

export const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What the button of an empty editor writes. */
export const firstPolicy = `// Production needs another person than the one who asked.
@id("production")
@outcome("approve") @exclude_requester("true")
permit (principal, action in Action::"write", resource)
when { resource has environment && resource.environment == "production" };
`
