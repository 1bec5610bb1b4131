import { CodehostBadResponse } from '../../schemas/codehost/errors.js'

/** The query that asks for the next page of a list. */
export interface Next { page?: number, after?: string }

const maxLength = 8_192
const link = /<([^<>]*)>([^<>]*)/g

/**
 * Reads the next page's number or position out of a Link header. The link itself is never followed: it may name any
 * host, and the token would go along.
 * @returns null when there is no next page. @throws codehost_bad_response when it cannot be asked for
 */
export const nextOf = (header: string | undefined): Next | null => {
  if (header === undefined) return null
  const found = [...header.slice(0, maxLength).matchAll(link)].find(([, , rest]) => /\brel="?next\b/.test(rest ?? ''))
  if (!found) return null
  const url = found[1] ?? ''
  const query = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').searchParams : undefined
  const page = query?.get('page') ?? ''
  const after = query?.get('after') ?? ''
  if (/^[1-9]\d{0,8}$/.test(page)) return { page: Number(page) }
  if (/^[\x21-\x7e]{1,200}$/.test(after)) return { after }
  throw CodehostBadResponse('The code host does not say what the next page is')
}
