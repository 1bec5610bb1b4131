import type { FastifyInstance } from 'fastify'

/** What the code host issued. */
export interface IssuedTokens {
  access_token: string
  refresh_token: string | null
  /** Separated by spaces; null = the answer does not say, and it is what was asked for. */
  scope: string | null
  /** Seconds; null = it does not expire, or the host does not say. */
  expires_in: number | null
}

type Fields = Record<string, unknown>

const maxSeconds = 315_360_000
const asHeader = /^[\x21-\x7e]{1,4096}$/

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Hosts answer in JSON or as a form, whatever was asked for and whatever they call it. */
const fieldsOf = (text: string): Fields => {
  const value = asJson(text)
  if (value === undefined) return Object.fromEntries(new URLSearchParams(text.trim()))
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const tokenIn = (value: unknown): string | null => typeof value === 'string' && asHeader.test(value) ? value : null

/** Some hosts write a number as text; an invalid lifetime counts as unknown. */
const secondsIn = (value: unknown): number | null => {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, maxSeconds) : null
}

const scopeIn = (value: unknown): string | null => {
  const words = Array.isArray(value) ? value.join(' ') : value
  return typeof words === 'string' ? words.split(/[\s,]+/).filter(Boolean).join(' ').slice(0, 1_000) : null
}

/** @returns the code of a refusal: its text is the host's, and goes nowhere */
const reasonIn = ({ error }: Fields): string =>
  typeof error === 'string' && /^[a-z0-9_]{1,64}$/.test(error) ? error : 'unknown'

/** A refusal has status 200 at GitHub: an answer is an error if it says so, whatever else it says. */
export const readTokenAnswer = (text: string): IssuedTokens | { refused: string } => {
  const fields = fieldsOf(text)
  if ('error' in fields) return { refused: reasonIn(fields) }
  const access_token = tokenIn(fields.access_token)
  if (access_token === null) return { refused: 'no_access_token' }
  return {
    access_token,
    refresh_token: tokenIn(fields.refresh_token),
    scope: scopeIn(fields.scope),
    expires_in: secondsIn(fields.expires_in)
  }
}

type Secrets = Pick<FastifyInstance['secrets'], 'encrypt' | 'decrypt'>
type Column = 'access_token' | 'refresh_token'

interface Encrypted { access_token: Buffer | null, refresh_token: Buffer | null }

const contextOf = (id: string, column: Column) => `codehost_identity|${id}|${column}`

/** @throws Error when the key is gone, or the bytes were encrypted for another row */
export const decryptToken = (secrets: Secrets, row: Encrypted & { id: string }, column: Column): string => {
  const encrypted = row[column]
  if (!encrypted) throw new Error(`There is no ${column}`)
  return secrets.decrypt(contextOf(row.id, column), encrypted)
}

export const encryptTokens = (secrets: Secrets, id: string,
  plain: { access_token: string, refresh_token: string | null }) => ({
  access_token: secrets.encrypt(contextOf(id, 'access_token'), plain.access_token),
  refresh_token: plain.refresh_token === null
    ? null
    : secrets.encrypt(contextOf(id, 'refresh_token'), plain.refresh_token)
})
