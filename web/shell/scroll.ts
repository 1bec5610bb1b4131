import { useLayoutEffect } from 'preact/hooks'

const key = 'steward-scroll'
/** Milliseconds in which a page may still grow to the height that it had. */
const patience = 3_000
const most = 60

type Places = Record<string, number>

const read = (): Places => {
  try {
    // This page wrote it.
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Places
  } catch {
    return {}
  }
}

const keep = (address: string, top: number): void => {
  const { [address]: _, ...others } = read()
  const places = Object.entries({ ...others, [address]: top }).slice(-most)
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(places)))
}

let isBack = false
addEventListener('popstate', () => { isBack = true })
// The client's own move, by a link; Back may have been stopped before it.
addEventListener('hashchange', ({ isTrusted }) => { if (!isTrusted) isBack = false })
history.scrollRestoration = 'manual'

/** Scrolls there as soon as the page is high enough, unless the reader scrolls first. */
const restore = (top: number): () => void => {
  const watcher = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight < top) return
    scrollTo({ top })
    stop()
  })
  const stop = () => {
    watcher.disconnect()
    removeEventListener('wheel', stop)
    removeEventListener('keydown', stop)
    removeEventListener('touchmove', stop)
  }
  watcher.observe(document.body)
  addEventListener('wheel', stop, { once: true })
  addEventListener('keydown', stop, { once: true })
  addEventListener('touchmove', stop, { once: true })
  setTimeout(stop, patience)
  return stop
}

/** Back and forward, and a reload, return to where the reader was on a page; a link begins at its top. */
export const useScroll = (path: string): void => {
  useLayoutEffect(() => {
    // Not later: going to the top of the next page would be noted as the place on this one.
    const onScroll = () => keep(path, scrollY)
    addEventListener('scrollend', onScroll)
    const top = read()[path]
    const isReturn = isBack || performance.now() < patience
    isBack = false
    const stop = isReturn && top !== undefined ? restore(top) : undefined
    if (!stop) scrollTo({ top: 0 })
    return () => {
      removeEventListener('scrollend', onScroll)
      stop?.()
    }
  }, [path])
}
