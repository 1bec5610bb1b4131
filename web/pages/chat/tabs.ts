/** Tells the other tabs of this browser that a session changed; other browsers learn it by looking. */
const channel = new BroadcastChannel('steward-sessions')

export const announce = (session: string | undefined): void => {
  channel.postMessage(session ?? '')
  dispatchEvent(new CustomEvent('steward-sessions', { detail: session }))
}

/** @returns what ends the listening to other tabs */
export const onAnnouncedElsewhere = (tell: (session: string) => void): (() => void) => {
  const leave = new AbortController()
  channel.addEventListener('message', ({ data }) => tell(String(data)), { signal: leave.signal })
  return () => leave.abort()
}

/** @returns what ends the listening to other tabs and this one */
export const onAnnounced = (tell: (session: string) => void): (() => void) => {
  const leave = new AbortController()
  channel.addEventListener('message', ({ data }) => tell(String(data)), { signal: leave.signal })
  addEventListener('steward-sessions', (event) => {
    // Sent above, and nowhere else.
    tell(String((event as CustomEvent<string | undefined>).detail ?? ''))
  }, { signal: leave.signal })
  return () => leave.abort()
}
