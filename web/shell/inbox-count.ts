import { signal } from '@preact/signals'
import { api, body } from '../api/client'

/** How many approvals wait for me, over all sessions; 100 means as many or more. */
export const waiting = signal(0)

const look = async () => {
  const query = { status: 'pending', limit: 100 } as const
  const page = await body(api.GET('/api/v1/agent/confirmations', { params: { query } })).catch(() => undefined)
  if (page) waiting.value = page.items.length
}

/** @returns what ends the watching */
export const watchInbox = (): (() => void) => {
  const timer = setInterval(() => { if (document.visibilityState === 'visible') void look() }, 10_000)
  const onChange = () => { void look() }
  addEventListener('steward-sessions', onChange)
  void look()
  return () => {
    clearInterval(timer)
    removeEventListener('steward-sessions', onChange)
  }
}
