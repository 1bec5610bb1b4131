import type { External, PublicationState } from '../../../../schemas/content/publications.js'

/** How one attempt at a target ended. */
export interface Outcome {
  state: Extract<PublicationState, 'succeeded' | 'failed' | 'retrying' | 'unknown' | 'awaiting_merge'>
  error: string | null
  http_status: number | null
  external?: External
  /** Seconds that the target asks to wait. */
  wait?: number
}

const transient = new Set([408, 425, 429])

/** @returns the outcome of a status: only a status that may change by itself is retried */
export const byStatus = (status: number, wait?: number): Pick<Outcome, 'state' | 'error' | 'http_status' | 'wait'> => {
  const known = { http_status: status, ...(wait === undefined ? {} : { wait }) }
  if (status >= 200 && status < 300) return { ...known, state: 'succeeded', error: null }
  if (transient.has(status) || status >= 500) return { ...known, state: 'retrying', error: `answered_${status}` }
  return { ...known, state: 'failed', error: status >= 300 && status < 400 ? 'redirected' : `answered_${status}` }
}
