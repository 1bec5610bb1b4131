import { signal } from '@preact/signals'

/** Steward cannot be reached at all. One line says so for the whole page, until it answers again. */
export const offline = signal(false)

/** Sent to the window when Steward answers again: what could not be read is read then. */
export const backEvent = 'steward-back'

const healthUrl = new URL('health', new URL('.', location.href))
const firstPause = 1_000
const longestPause = 8_000

/** @returns whether anything answers at the address */
const answers = (): Promise<boolean> => fetch(healthUrl, { cache: 'no-store' })
  .then(({ status }) => status < 502, () => false)

const wait = (ms: number) => new Promise<void>((resolve) => {
  const timer = setTimeout(resolve, ms)
  addEventListener('online', () => {
    clearTimeout(timer)
    resolve()
  }, { once: true })
})

const watch = async (): Promise<void> => {
  for (let pause = firstPause; !await answers(); pause = Math.min(longestPause, pause * 2)) {
    offline.value = true
    await wait(pause)
  }
  if (!offline.peek()) return
  offline.value = false
  dispatchEvent(new Event(backEvent))
}

let watching = false

/** A request got no answer: looks whether it was this one, or all of Steward. */
export const checkConnection = (): void => {
  if (watching) return
  watching = true
  void watch().finally(() => { watching = false })
}

addEventListener('offline', checkConnection)
