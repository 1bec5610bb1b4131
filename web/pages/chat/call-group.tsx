import { useSignal } from '@preact/signals'
import { Check, ChevronRight, LoaderCircle, X } from '../../parts/icons'
import { CallCard } from './call-card'
import type { CallEntry, Entry } from './transcript'
import { locale } from '../../texts/language'
import { say } from '../../texts/say'

export type CallGroup = Extract<Entry, { kind: 'calls' }>

/** Reads that were asked for and let through: what waits, or was decided, stands alone. */
const isRead = (entry: Entry): entry is CallEntry => entry.kind === 'call' && entry.effect === 'read' &&
  !entry.approval && entry.decided_by === undefined && entry.unasked === undefined

const isSame = (calls: readonly CallEntry[], others: readonly CallEntry[]): boolean =>
  calls.length === others.length && calls.every((call, at) => call === others[at])

/**
 * @param kept the groups of before, by their first call: one that has not changed is the same object, and not drawn again
 * @returns the entries, with reads that follow each other as one
 */
export const groupCalls = (entries: readonly Entry[], kept: Map<string, CallGroup>): Entry[] => {
  const grouped: Entry[] = []
  let calls: CallEntry[] = []
  const end = () => {
    const [first, second] = calls
    if (first && second) {
      const before = kept.get(first.id)
      const group: CallGroup = before && isSame(before.calls, calls) ? before : { kind: 'calls', id: first.id, calls }
      kept.set(first.id, group)
      grouped.push(group)
    } else if (first) grouped.push(first)
    calls = []
  }
  for (const entry of entries) {
    if (isRead(entry)) calls.push(entry)
    else {
      end()
      grouped.push(entry)
    }
  }
  end()
  return grouped
}

/** What a list has entries of. */
const things: Record<string, (count: number) => string> = {
  listClusters: (count) => say('chat.looked.clusters', { count }),
  listClusterServices: (count) => say('chat.looked.services', { count }),
  listFunctions: (count) => say('chat.looked.functions', { count }),
  listServiceDeployments: (count) => say('chat.looked.deployments', { count }),
  listApps: (count) => say('chat.looked.apps', { count }),
  listBuilds: (count) => say('chat.looked.builds', { count }),
  listRepositories: (count) => say('chat.looked.repositories', { count }),
  listPulls: (count) => say('chat.looked.pulls', { count }),
  listCloudAccounts: (count) => say('chat.looked.accounts', { count })
}

const countOf = ({ status, result }: CallEntry): number | undefined => {
  // A list of the API has its entries in `items`.
  const items = status === 'succeeded' && typeof result === 'object' && result !== null && 'items' in result
    ? result.items
    : undefined
  return Array.isArray(items) ? items.length : undefined
}

/** @returns "2 clusters, 9 services and 1 more" */
const describe = (calls: readonly CallEntry[]): string => {
  const counts = new Map<(count: number) => string, number>()
  let others = 0
  for (const call of calls) {
    const [thing, count] = [things[call.name], countOf(call)]
    if (thing === undefined || count === undefined) others++
    else counts.set(thing, (counts.get(thing) ?? 0) + count)
  }
  const words = [...counts].map(([thing, count]) => thing(count))
  const rest = words.length === 0 ? say('chat.looked.things', { count: others }) : say('chat.looked.more', { count: others })
  const all = others === 0 ? words : [...words, rest]
  return new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }).format(all)
}

const hasFailed = ({ status }: CallEntry): boolean => status !== 'succeeded' && status !== 'running'

const GroupIcon = ({ calls }: Pick<CallGroup, 'calls'>) => {
  if (calls.some(({ status }) => status === 'running')) return <LoaderCircle size={15} class='spin' aria-hidden='true' />
  return calls.some(hasFailed) ? <X size={15} aria-hidden='true' /> : <Check size={15} aria-hidden='true' />
}

/** Several reads, in one line that unfolds. */
export const CallGroupCard = ({ group: { calls } }: { group: CallGroup }) => {
  const open = useSignal(false)
  const failed = calls.filter(hasFailed).length
  return (
    <div class={failed > 0 ? 'call failed' : 'call done'}>
      <button type='button' class='call-head' aria-expanded={open.value} onClick={() => { open.value = !open.value }}>
        <GroupIcon calls={calls} />
        <span class='clip grow'>{say('chat.looked', { things: describe(calls) })}</span>
        {failed > 0 && <span class='problem nowrap'>{say('chat.looked.failed', { count: failed })}</span>}
        <ChevronRight size={15} aria-hidden='true' class='chevron' />
      </button>
      {open.value && <ul class='plain stack tight'>
        {calls.map((call) => <li key={call.id}><CallCard call={call} onChange={() => undefined} /></li>)}
      </ul>}
    </div>
  )
}
