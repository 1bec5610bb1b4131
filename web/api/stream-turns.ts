/**
 * Over HTTP/1.1 a browser opens six connections to a server, for all its tabs together: six open streams, and no other
 * tab loads and no button works. So the tabs that were used last follow their streams; the others go on where they were
 * when they are used again. Over HTTP/2 all streams share one connection, and nobody waits.
 */
const maxTabs = 4

interface Message { tab: string, usedAt: number, kind: 'used' | 'asks' | 'left' }

/** Not of crypto: randomUUID is missing where a page is not served over https. */
const tab = `${Date.now()}-${Math.random()}`
const channel = new BroadcastChannel('steward-streams')
const others = new Map<string, number>()
const onChange = new Set<() => void>()
let usedAt = 0
let streams = 0

const isMultiplexed = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && /^h[23]/.test(navigation.nextHopProtocol)
}

const hasTurn = (): boolean => isMultiplexed() ||
  [...others].filter(([name, at]) => at > usedAt || (at === usedAt && name > tab)).length < maxTabs

const post = (kind: Message['kind']): void => channel.postMessage({ tab, usedAt, kind } satisfies Message)
const notify = (): void => { for (const call of [...onChange]) call() }

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'left') others.delete(data.tab)
  else others.set(data.tab, data.usedAt)
  if (data.kind === 'asks' && streams > 0) post('used')
  notify()
})

const use = (): void => {
  if (streams === 0 || document.visibilityState === 'hidden') return
  usedAt = Date.now()
  post('used')
  notify()
}

/** A tab that has its turn already needs to tell nobody of each key. */
const useAgain = (): void => { if (!hasTurn()) use() }

window.addEventListener('focus', use)
document.addEventListener('visibilitychange', use)
window.addEventListener('pointerdown', useAgain, true)
window.addEventListener('keydown', useAgain, true)
window.addEventListener('pagehide', () => post('left'))
window.addEventListener('pageshow', ({ persisted }) => { if (persisted) use() })

/** Resolves when it is this tab's turn (`true`), or when it no longer is (`false`), or with the signal. */
const until = (isTurn: boolean, signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  const check = () => {
    if (!signal.aborted && hasTurn() !== isTurn) return
    onChange.delete(check)
    signal.removeEventListener('abort', check)
    resolve()
  }
  onChange.add(check)
  signal.addEventListener('abort', check)
  check()
})

/**
 * Does the work while it is this tab's turn, and again each time that it becomes so.
 * @param work ends with its signal, and returns whether all is done
 */
export const takeTurns = async (signal: AbortSignal, work: (turn: AbortSignal) => Promise<boolean>): Promise<void> => {
  if (streams++ === 0) {
    usedAt = Date.now()
    post('asks')
  }
  try {
    for (let isDone = false; !isDone && !signal.aborted;) {
      await until(true, signal)
      const turn = new AbortController()
      void until(false, AbortSignal.any([signal, turn.signal])).then(() => turn.abort())
      isDone = await work(turn.signal) || !turn.signal.aborted
      turn.abort()
    }
  } finally {
    if (--streams === 0) post('left')
  }
}
