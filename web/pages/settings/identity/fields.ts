import type { Schemas } from '../../../api/client'

export type Provider = Schemas['IdentityProvider']
export type Rule = Schemas['ProviderRule']

/** What the form holds: texts, as people write lists. */
export interface Fields {
  name: string
  issuer: string
  client_id: string
  secret: string
  scopes: string
  domains: string
  groups_claim: string
  rules: Rule[]
  just_in_time: boolean
  joins_by_email: boolean
  role: Provider['role']
  check_minutes: number
  grace_minutes: number
}

export const fieldsOf = (provider: Provider | undefined): Fields => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  secret: '',
  scopes: (provider?.scopes ?? ['profile', 'email']).join(' '),
  domains: (provider?.domains ?? []).join(' '),
  groups_claim: provider?.groups_claim ?? '',
  rules: provider?.rules ?? [],
  just_in_time: provider?.just_in_time ?? false,
  joins_by_email: provider?.joins_by_email ?? false,
  role: provider?.role ?? 'viewer',
  check_minutes: provider?.check_minutes ?? 10,
  grace_minutes: provider?.grace_minutes ?? 60
})

const words = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]

/** @returns what is sent; an empty secret stays what it is */
export const bodyOf = ({ issuer: _, secret, scopes, domains, groups_claim: claim, ...fields }: Fields) => ({
  ...fields,
  scopes: words(scopes),
  domains: words(domains.toLowerCase()),
  groups_claim: claim.trim() === '' ? null : claim.trim(),
  ...(secret !== '' && { secret })
})
