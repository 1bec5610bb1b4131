import { isObject, textIn } from '../../schemas/unknown.js'

/** What a name ends with that means a secret, whatever stands before it and however its words are joined. */
const nouns = ['secret', 'passwords?', 'passwd', 'passphrase', 'pwd', 'token', 'credentials?', 'cookie', 'authorization',
  'secret[_-]?(?:access[_-]?)?key', '(?:api|private|signing|encryption|account|auth|shared[_-]?access|access)[_-]?key',
  'connection[_-]?string'].join('|')

/** Tokens that lead to the next page, or name a request: whoever has them has nothing. */
const harmless = '(?:next|page|continuation|pagination|sync|client[_-]?request|idempotency|csrf)[_-]?'

const secretName = new RegExp(`(?<!${harmless})(?:${nouns})$`, 'i')

/** @returns whether what has this name, of a field or a variable, is a secret: SecretAccessKey, db_password, X-Api-Key */
const isSecretName = (name: string): boolean => name.length <= 100 && secretName.test(name)

/** A reference to a secret says where it is, and is none itself. */
const reference = /^(?:\$|<|\{|%|\*|\[redacted|arn:|https?:|process\.env|env\.|secrets?\.|vault:|ssm:)/i

/** @returns whether a value that has a secret's name is the secret, and not a word about it or where it is */
const isSecretValue = (value: string): boolean =>
  value.length >= 6 && !reference.test(value) && /[0-9!@#$%^&*+/=]/.test(value)

/** A name, what joins it with its value in JSON, YAML, an environment, a header or a query, and the value. */
export const namedSecret = new RegExp(
  `(?<kept>(?<!${harmless})(?:${nouns})["'\\\\]{0,4}[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}["'\\\\]{0,4})` +
  '(?<value>[^\\s"\'\\\\,;&<>(){}\\[\\]]{6,2000})', 'gi')

/**
 * What has the form of a credential. Of a match, the group `kept` is shown; a match without its group `end` is none,
 * and is left as it is.
 *
 * Each expression takes time in proportion to the text, whatever the text says (test/guards/expressions.deep.ts): an
 * expression whose last part is missing consumes what it has read as a match without `end`, so that no character of it
 * is read as the start of another.
 */
const secrets: [RegExp, string][] = [
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[redacted access key]'],
  [/\bstw_(?:pat|link|sess|oat|ort|cal)_(?:[0-9A-Za-z]{22}_)?[0-9A-Za-z]{36,64}\b/g, '[redacted token]'],
  [/\bwhsec_[0-9A-Za-z+/]{24,}={0,2}/g, '[redacted secret]'],
  [/\bgh[pousr]_[0-9A-Za-z]{36,255}\b/g, '[redacted token]'],
  [/\bgithub_pat_[0-9A-Za-z_]{22,255}\b/g, '[redacted token]'],
  [/\bsk-ant-[0-9A-Za-z_-]{20,}\b/g, '[redacted key]'],
  [/\bxox[abprs]-[0-9A-Za-z-]{10,}\b/g, '[redacted token]'],
  [/\beyJ[\w-]{10,}(?<end>\.eyJ[\w-]{10,}\.[\w-]+)?/g, '[redacted token]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted private key]'],
  [/(?<kept>:\/\/[^\s:/@"']+:)[^\s@"']+(?<end>@)?/g, '[redacted]@'],
  [/\b(?<kept>authorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+)[^\s"']+/gi, '[redacted]'],
  [/\b(?<kept>aws_secret_access_key["']?\s*[:=]\s*["']?)[A-Za-z0-9/+=]{30,}/gi, '[redacted]']
]

/** Anything that one of the patterns could match, so that most texts are tested once. */
const traces = ['AKIA|ASIA|stw_|whsec_|gh[pousr]_|github_pat_|sk-ant-|xox[abprs]-|eyJ|PRIVATE KEY',
  '://[^\\s/"]*@|authorization|secret_access_key'].join('|')

/** A quick test for texts that may hold a credential; `more` adds to what is looked for. */
export const mayHoldSecret = (more = ''): RegExp => new RegExp(more === '' ? traces : `${traces}|${more}`, 'i')

type Replace = (found: string, kept: string, label: string) => string

const replaceSecrets = (text: string, replace: Replace): string => secrets.reduce((left, [pattern, label]) =>
  left.replace(pattern, (found: string, ...rest: unknown[]) => {
    // The last argument holds the groups of an expression that has named ones, else it is the text.
    const last = rest.at(-1)
    if (isObject(last) && 'end' in last && last.end === undefined) return found
    return replace(found, textIn(last, 'kept') ?? '', label)
  }), text)

/** @returns the text without what has the form of a credential; in time that is proportional to its length */
export const redactText = (text: string): string => replaceSecrets(text, (_found, kept, label) => kept + label)

/** @returns the text, as long as it was, with stars instead of what has the form of a credential */
export const maskText = (text: string): string =>
  replaceSecrets(text, (found, kept) => kept + '*'.repeat(found.length - kept.length))

/** @returns a text that was read, without what has the form of a credential and without the values of secrets' names */
export const redactRead = (text: string): string => redactText(text).replace(namedSecret,
  (found: string, kept: string, value: string) => isSecretValue(value) ? `${kept}[redacted]` : found)

/** Levels of arrays and objects. No schema of ours goes as deep; deeper, a value would exhaust its readers' stack. */
const maxDepth = 100
const tooDeep = '[nested too deeply]'

const suspicious = mayHoldSecret('\\0')

const isSuspicious = (text: string): boolean => suspicious.test(text) || !text.isWellFormed()

const needsCleaning = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string') return isSuspicious(value)
  if (value === null || typeof value !== 'object') return false
  if (depth >= maxDepth) return true
  if (Array.isArray(value)) return value.some((child) => needsCleaning(child, depth + 1))
  return Object.entries(value).some(([key, child]) => isSuspicious(key) || needsCleaning(child, depth + 1))
}

const cleanText = (text: string): string => redactText(text.replaceAll('\0', '').toWellFormed())

const clean = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return isSuspicious(value) ? cleanText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (depth >= maxDepth) return tooDeep
  if (Array.isArray(value)) return value.map((child) => clean(child, depth + 1))
  return Object.fromEntries(Object.entries(value)
    .map(([key, child]) => [isSuspicious(key) ? cleanText(key) : key, clean(child, depth + 1)]))
}

/**
 * @returns the value with its strings redacted, without NUL and lone surrogates, which no row can hold, and no deeper
 *   than a hundred levels; the same value where nothing had to change. In time that is proportional to its size.
 */
export const redact = (value: unknown): unknown => needsCleaning(value, 0) ? clean(value, 0) : value

const cleanRead = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redactRead(value)
  if (value === null || typeof value !== 'object' || depth >= maxDepth) return value
  if (Array.isArray(value)) return value.map((child) => cleanRead(child, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key,
    typeof child === 'string' && isSecretName(key) && isSecretValue(child) ? '[redacted]' : cleanRead(child, depth + 1)]))
}

/**
 * @returns a value that was read somewhere, as `redact` does, and also without what a name says is a secret: of a field
 *   or within a text. Not for what is sent, in which such names may stand for what a person wants there.
 */
export const redactValueRead = (value: unknown): unknown => cleanRead(redact(value), 0)
