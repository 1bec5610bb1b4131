import { useSyncExternalStore } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { signal } from '@preact/signals'
import { unsaved } from '../parts/unsaved'

const listen = (notify: () => void) => {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

/** @returns path and query of the address, which are in the fragment */
const read = (): string => `/${location.hash.replace(/^#?\/?/, '')}`
const readPath = (): string => read().split('?')[0] ?? '/'
export const readQuery = (): string => read().split('?')[1] ?? ''

interface Options { replace?: boolean, state?: unknown }

const move = (to: string, { replace = false, state = null }: Options = {}): void => {
  const { href: oldURL } = location
  const path = to.replace(/^#?\/?/, '')
  history[replace ? 'replaceState' : 'pushState'](state, '', `#/${path}`)
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }))
}

/** Puts another address in the place of this one: Back leaves both. */
export const replaceAddress = (to: string): void => move(to, { replace: true })

/** Where a person wants to go, away from text that is not saved. */
export const leaving = signal<string | undefined>(undefined)

/** Goes there, whatever is lost. */
export const go = (to: string): void => {
  unsaved.clear()
  leaving.value = undefined
  move(to)
}

const pathOf = (to: string): string => `/${to.replace(/^#?\/?/, '')}`.split('?')[0] ?? '/'

/** @returns whether going there, away from the path, loses what was typed */
const isLost = (to: string, from: string): boolean => pathOf(to) !== from &&
  [...unsaved].some(({ within }) => within === undefined || !`${pathOf(to)}/`.startsWith(`${within}/`))

const navigate = (to: string, options: Options = {}): void => {
  if (isLost(to, readPath())) leaving.value = to
  else move(to, options)
}

const useFragment = (): [string, typeof navigate] => [useSyncExternalStore(listen, readPath), navigate]

/** The location of the router: addresses are in the fragment, a page's filters behind the path in it. */
export const useFragmentLocation = Object.assign(useFragment, { hrefs: (href: string) => `#${href}` })

/** Stays where text is not saved when Back, or a typed address, leads away from it. */
export const useGuardedBack = () => useEffect(() => {
  let current = read()
  const onPop = () => {
    const to = read()
    if (!isLost(to, pathOf(current))) return
    // The browser has gone already; the page has not: it learns of an address by `hashchange`, which comes later.
    history.pushState(null, '', `#${current}`)
    leaving.value = to
  }
  const onMoved = () => { current = read() }
  addEventListener('popstate', onPop)
  addEventListener('hashchange', onMoved)
  return () => {
    removeEventListener('popstate', onPop)
    removeEventListener('hashchange', onMoved)
  }
}, [])

/** The filters of a page; a change replaces the address, so that it can be sent to others, and Back leaves the page. */
export const useFilters = <K extends string>(names: readonly K[]) => {
  const query = new URLSearchParams(useSyncExternalStore(listen, readQuery))
  const write = (name: K, text: string) => {
    const next = new URLSearchParams(readQuery())
    if (text === '') next.delete(name)
    else next.set(name, text)
    const search = next.size > 0 ? `?${next.toString()}` : ''
    move(readPath() + search, { replace: true })
  }
  const cells = names.map((name) => [name, {
    get value () { return query.get(name) ?? '' },
    set value (next: string) { write(name, next) }
  }])
  // One cell for each of the names.
  return Object.fromEntries(cells) as Record<K, { value: string }>
}

/** A filter with fixed options, in the address; the first stands where the address has none, or another text. */
export const useChoice = <T extends string>(name: string, options: Record<T, unknown>, standard: T) => {
  const { [name]: cell } = useFilters([name])
  // A key of the record of T is a T.
  const isOption = (text: string): text is T => Object.hasOwn(options, text)
  return {
    get value (): T { return cell && isOption(cell.value) ? cell.value : standard },
    set value (next: T) { if (cell) cell.value = next === standard ? '' : next }
  }
}
