/** A clock that gives a fact of telemetry its start and its length. */
export const startTimer = () => {
  const [started_at, from] = [Date.now(), performance.now()]
  return { passed: () => performance.now() - from, times: () => ({ started_at, ms: performance.now() - from }) }
}
