import { fieldsOf, isObject, textIn } from '../../schemas/unknown.js'

/** Groups that a claim may name; who is in more is in so many. */
const maxGroups = 2_000

/** A claim by its name, or by names with points between: Keycloak nests, and Auth0's names have points. */
const findClaim = (claims: Record<string, unknown>, name: string): unknown => {
  if (name in claims) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => isObject(value) ? value[part] : undefined, claims)
}

/** @returns what the claim names; undefined where it is not there, so that nothing is known */
export const readGroups = (claims: Record<string, unknown>, name: string | null): string[] | undefined => {
  const value = name === null ? undefined : findClaim(claims, name)
  if (value === undefined || value === null) return undefined
  return [value].flat().filter((one): one is string => typeof one === 'string').slice(0, maxGroups)
}

/** Only the boolean counts: the text "true" is no promise of the specification's. */
const isVerified = (claims: Record<string, unknown>): boolean => claims.email_verified === true

const form = /^[^\s@\u0000-\u001f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

/** @returns the address, where the provider says that it is the person's */
export const readEmail = (claims: Record<string, unknown>): string | null => {
  const email = textIn(claims, 'email')
  return email !== undefined && email.length <= 254 && form.test(email) && isVerified(claims) ? email : null
}

/** @returns a valid name of a person */
export const readName = (claims: Record<string, unknown>): string => {
  const texts = ['name', 'preferred_username', 'email', 'sub'].map((name) => fieldsOf(claims)[name])
  const names = texts.filter((one): one is string => typeof one === 'string')
    .map((one) => one.replaceAll(/\p{Cc}/gu, '').trim().slice(0, 100).toWellFormed().trim())
  return names.find((one) => one !== '') ?? 'Somebody'
}
