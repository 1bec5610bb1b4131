import { CodehostBadResponse } from '../../schemas/codehost/errors.js'

/** The query that asks for the next page of a list. */
export interface Next { page?: number, after?: string, cursor?: string }

const maxLength = 8_192
const link = /<([^<>]*)>([^<>]*)/g

/**
 * Reads the next page's number or position out of a Link header. The link itself is never followed: it may name any
 * host, and the token would go along.
 * @returns null when there is no next page. @throws codehost_bad_response when it cannot be asked for
 */
const nextOf = (header: string): Next | null => {
  const found = [...header.slice(0, maxLength).matchAll(link)].find(([, , rest]) => /\brel="?next\b/.test(rest ?? ''))
  if (!found) return null
  const url = found[1] ?? ''
  const query = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').searchParams : undefined
  const page = query?.get('page') ?? ''
  if (/^[1-9]\d{0,8}$/.test(page)) return { page: Number(page) }
  for (const name of ['after', 'cursor'] as const) {
    const position = query?.get(name) ?? ''
    if (/^[\x21-\x7e]{1,200}$/.test(position)) return { [name]: position }
  }
  throw CodehostBadResponse('The code host does not say what the next page is')
}

type Headers = Readonly<Record<string, unknown>>

const numberOf = (value: unknown): number => value === undefined ? NaN : Number(value)

/**
 * @returns what to ask for after this answer. GitHub leaves the Link header out on an only page; of a host that is not
 * GitHub, and may not have that header at all, a full page is taken for not being the last.
 */
export const nextAfter = (data: unknown, headers: Headers, parameters: Headers): Next | null => {
  if (headers.link !== undefined) return nextOf(String(headers.link))
  const size = numberOf(parameters.per_page)
  if (!Array.isArray(data) || data.length === 0 || Number.isNaN(size)) return null
  const page = Number(parameters.page ?? 1)
  const total = numberOf(headers['x-total-count'])
  const more = Number.isNaN(total)
    ? headers['x-github-request-id'] === undefined && data.length === size
    : page * data.length < total
  return more ? { page: page + 1 } : null
}
