import { isObject, textIn } from '../../schemas/unknown.js'
import { isSecretValue, namedSecret } from './secret-names.js'

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
