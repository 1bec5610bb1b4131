import type { Outbound } from '../../plugins/outbound.js'

/** Answers larger than this are no answers of a provider. */
const maxBytes = 1_048_576

const bodyless = new Set([204, 205, 304])

interface Options {
  method?: string
  headers?: unknown
  body?: unknown
  signal?: AbortSignal | null | undefined
}

const methods = ['GET', 'POST'] as const

/** Form bodies are texts or parameters; nothing else is sent to a provider. */
const textOf = (body: unknown): string | undefined => body === undefined || body === null ? undefined : String(body)

/**
 * What `fetch` is to the libraries. An address that a provider's document names is checked as an admin's is, and no
 * redirect is followed: a secret goes where the document says, or nowhere.
 */
export const guardedFetch = (outbound: Outbound) => async (url: string, options: Options = {}): Promise<Response> => {
  const method = methods.find((one) => one === options.method) ?? 'GET'
  const body = textOf(options.body)
  // The libraries give a record or Headers; both are what Headers takes.
  const headers = Object.fromEntries(new Headers(options.headers as Record<string, string>))
  const answer = await outbound.fetch({
    url,
    method,
    headers,
    maxBytes,
    maxRedirects: 0,
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal })
  })
  const { 'content-encoding': _, 'content-length': __, ...kept } = answer.headers
  return new Response(bodyless.has(answer.status) ? null : new Uint8Array(answer.body),
    { status: answer.status, headers: kept })
}
