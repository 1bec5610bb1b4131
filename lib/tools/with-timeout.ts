/** Waits for work until the time is over or the signal aborts; the work goes on, and its result is discarded. */
export const withTimeout = async <T>(work: Promise<T>, ms: number, signal?: AbortSignal):
Promise<T | 'timeout' | 'aborted'> => {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const stop = new Promise<'timeout' | 'aborted'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), ms)
    onAbort = () => resolve('aborted')
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
  })
  return Promise.race([work, stop]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}
