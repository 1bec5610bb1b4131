import { signal } from '@preact/signals'
import { api, body } from '../api/client'
import { onSeenAgain } from '../api/visible'
import { onAnnounced } from '../pages/chat/tabs'

/** The number of questions that wait for my approval, whoever asked; 100 means 100 or more. */
export const waiting = signal(0)

const pollInbox = async () => {
  const query = { view: 'to_decide', limit: 100 } as const
  const page = await body(api.GET('/api/v1/agent/confirmations', { params: { query } })).catch(() => undefined)
  if (page) waiting.value = page.items.length
}

/** @returns a function that stops polling */
export const watchInbox = (): (() => void) => {
  const timer = setInterval(() => { if (document.visibilityState === 'visible') void pollInbox() }, 10_000)
  const stopListening = onAnnounced(() => { void pollInbox() })
  const unwatch = onSeenAgain(() => { void pollInbox() })
  void pollInbox()
  return () => {
    clearInterval(timer)
    stopListening()
    unwatch()
  }
}
