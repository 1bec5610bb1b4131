/** Waits for work so long, and no longer than the signal lets it; what comes of the work afterwards is nobody's. */
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
