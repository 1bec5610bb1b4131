import type { ComponentChildren } from 'preact'
import type { Page, Pages } from '../api/pages'
import { useAction } from '../api/action'
import { ProblemNotice } from './notice'
import { Loading } from './states'
import { say } from '../texts/say'

interface Props<T, P extends Page<T>> {
  of: Pages<T, P>
  empty: ComponentChildren
  children: (items: T[]) => ComponentChildren
}

export const MoreButton = ({ more }: { more: () => Promise<void> }) => {
  const { run, busy, problem } = useAction(more)
  return (
    <div class='after-table stack tight'>
      {problem && <ProblemNotice problem={problem} />}
      <button type='button' disabled={busy} onClick={() => { void run() }}>
        {say(busy ? 'list.loading' : 'list.more')}
      </button>
    </div>
  )
}

/** A list of the API in its four states: loading, error, empty, and entries with a button for the next page. */
export const List = <T, P extends Page<T>>({ of: pages, empty, children }: Props<T, P>) => {
  const { data, problem, reload, items, more } = pages
  return (
    <>
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      {data === undefined && !problem && <Loading />}
      {data !== undefined && (items.length === 0 ? empty : children(items))}
      {more && <MoreButton more={more} />}
    </>
  )
}
