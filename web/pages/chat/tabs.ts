/** Notifies the other tabs of this browser of a changed session; other browsers poll. */
const channel = new BroadcastChannel('steward-sessions')

export const announce = (session: string | undefined): void => {
  channel.postMessage(session ?? '')
  dispatchEvent(new CustomEvent('steward-sessions', { detail: session }))
}

/** @returns a function that stops listening to other tabs */
export const onAnnouncedElsewhere = (notify: (session: string) => void): (() => void) => {
  const controller = new AbortController()
  channel.addEventListener('message', ({ data }) => notify(String(data)), { signal: controller.signal })
  return () => controller.abort()
}

/** @returns a function that stops listening to other tabs and this one */
export const onAnnounced = (notify: (session: string) => void): (() => void) => {
  const controller = new AbortController()
  channel.addEventListener('message', ({ data }) => notify(String(data)), { signal: controller.signal })
  addEventListener('steward-sessions', (event) => {
    // Only `announce` sends this event, with a detail of this type.
    notify(String((event as CustomEvent<string | undefined>).detail ?? ''))
  }, { signal: controller.signal })
  return () => controller.abort()
}
