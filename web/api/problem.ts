import { signal } from '@preact/signals'
import type { components } from 'openapi'

type Body = components['schemas']['Problem']

/** True from the first 401 until a person signs in. */
export const signedOut = signal(false)

/** An error response of the API, or the lack of any response. */
export class Problem extends Error {
  constructor (readonly code: string, readonly status: number, detail: string, readonly body?: Partial<Body>) {
    super(detail)
  }

  /** Field errors by JSON pointer, as sentences. */
  get fields (): string[] {
    return (this.body?.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
  }
}

const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** @returns the problem of an error response, or of a failed request */
export const problemOf = (error: unknown, response?: Response): Problem => {
  if (error instanceof Problem) return error
  if (isAborted(error)) return new Problem('aborted', 0, 'Stopped')
  if (!response) return new Problem('unreachable', 0, 'Steward did not answer. Is it running?')
  if (response.status === 401) signedOut.value = true
  // Every error of the API is a Problem; a proxy may send any other body.
  const body = typeof error === 'object' && error ? error as Partial<Body> : {}
  return new Problem(body.code ?? 'unexpected_answer', response.status,
    body.detail ?? `The answer was ${response.status}`, body)
}
