import { AwsError } from './errors.js'

export interface PageRule {
  fallback: number
  max: number
  /** The service's error for a wrong size or token. */
  error?: (message: string) => AwsError
}

export interface Page<Item> { items: Item[]; nextToken: string | undefined }

/** One page of a list that is computed whole; the token is opaque and belongs to the list that gave it. */
export function page<Item> (
  items: Item[], scope: string, request: { size?: number | undefined, token?: string | undefined }, rule: PageRule
): Page<Item> {
  const size = pageSize(request.size, rule)
  const start = request.token === undefined ? 0 : readToken(request.token, scope, rule)
  const end = start + size
  return { items: items.slice(start, end), nextToken: end < items.length ? writeToken(scope, end) : undefined }
}

/** The page size, or the service's refusal. */
export function pageSize (size: number | undefined, rule: PageRule): number {
  if (size === undefined) return rule.fallback
  if (!Number.isInteger(size) || size < 1 || size > rule.max) {
    throw refusal(rule, `Value ${size} is not valid: it must be between 1 and ${rule.max}.`)
  }
  return size
}

/** A token that only the list of this scope reads. */
export function writeToken (scope: string, position: number | string): string {
  return Buffer.from(JSON.stringify([scope, position])).toString('base64url')
}

function readToken (token: string, scope: string, rule: PageRule): number {
  const position = tokenPosition(token, scope)
  if (typeof position !== 'number') throw refusal(rule, 'Invalid token.')
  return position
}

/** The content of a token, or undefined if it belongs to another list. */
export function tokenPosition (token: string, scope: string): unknown {
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(content) && content[0] === scope ? content[1] : undefined
  } catch {
    return undefined
  }
}

function refusal (rule: PageRule, message: string): AwsError {
  return rule.error ? rule.error(message) : new AwsError('InvalidParameterException', message)
}
