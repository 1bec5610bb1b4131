import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useResource, type Resource, type ResourceOptions } from './resource'

export interface Page<T> { items: T[], next_cursor: string | null }

export interface Pages<T, P extends Page<T> = Page<T>> extends Resource<P> {
  items: T[]
  /** Undefined on the last page. */
  more: (() => Promise<void>) | undefined
}

/** A list that is read page by page; each further page is appended. */
export const usePages = <T, P extends Page<T> = Page<T>>(keys: unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P & Page<T>>, options: ResourceOptions<P & Page<T>> = {}):
  Pages<T, P> => {
  const further = useSignal<Page<T>[]>([])
  const first = useResource<P & Page<T>>(keys, (signal) => load(undefined, signal), options)
  useEffect(() => { further.value = [] }, keys)
  const cursor = (further.value.at(-1) ?? first.data)?.next_cursor ?? undefined
  const more = async () => {
    const page = await load(cursor, AbortSignal.timeout(60_000))
    further.value = [...further.value, page]
  }
  const items = [...first.data?.items ?? [], ...further.value.flatMap((page) => page.items)]
  return { ...first, items, more: cursor === undefined ? undefined : more }
}
