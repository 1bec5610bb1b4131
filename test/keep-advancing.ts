import type { Test } from './tap.js'

/**
 * Moves a sandbox's clock on again and again, one call after the other.
 * @returns ends it; what closes afterwards cuts no call off. The end of the test does it too
 */
export const keepAdvancing = (t: Pick<Test, 'teardown'>, advance: () => Promise<unknown>, everyMs = 100) => {
  const stop = new AbortController()
  const run = async () => {
    while (!stop.signal.aborted) {
      await advance()
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
  const running = run()
  const end = async () => {
    stop.abort()
    await running
  }
  t.teardown(end)
  return end
}
