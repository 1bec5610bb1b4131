import type { Schemas } from '../../api/client'

export const views = {
  '': 'inbox.view.mine',
  others: 'inbox.view.others',
  asked: 'inbox.view.asked',
  decided: 'inbox.view.decided',
  all: 'inbox.view.all'
} as const
export type View = keyof typeof views

export const viewOf = (text: string): View => text in views ? text as View : '' // It is one of the keys then.

export const statuses = {
  '': 'inbox.status.any',
  pending: 'inbox.status.pending',
  approved: 'inbox.status.approved',
  rejected: 'inbox.status.rejected',
  expired: 'inbox.status.expired',
  closed: 'inbox.status.closed'
} as const

export const filterNames = ['view', 'status', 'asked', 'decided', 'tool', 'q'] as const
export type Filters = Record<typeof filterNames[number], { value: string }>

/** What each view lists; those of what waits have no other status. */
export const listed = {
  '': { view: 'to_decide' },
  others: { view: 'waiting' },
  asked: { view: 'mine' },
  decided: { view: 'workspace' },
  all: { view: 'workspace' }
} as const

export const hasStatus = (view: View): boolean => view === 'asked' || view === 'all' || view === 'decided'

type Status = Schemas['Confirmation']['status'] | 'decided' | 'all'

/** @returns the status to list: the view's, unless one of its own was chosen */
const statusOf = (view: View, chosen: string): Status => {
  if (!hasStatus(view)) return 'pending'
  const isKnown = (text: string): text is Schemas['Confirmation']['status'] => text !== '' && text in statuses
  if (isKnown(chosen) && !(view === 'decided' && chosen !== 'approved' && chosen !== 'rejected')) return chosen
  return view === 'decided' ? 'decided' : 'all'
}

/** @returns the query of the filters that are in the address */
export const queryOf = (filters: Filters) => {
  const view = viewOf(filters.view.value)
  return {
    view: listed[view].view,
    status: statusOf(view, filters.status.value),
    requested_by: filters.asked.value || undefined,
    decided_by: filters.decided.value || undefined,
    tool: filters.tool.value || undefined,
    q: filters.q.value.trim() || undefined
  }
}

/** @returns the address of a view, with the other filters kept */
export const addressOf = (view: View, filters: Filters): string => {
  const kept = filterNames.filter((name) => name !== 'view' && name !== 'status' && filters[name].value !== '')
  const query = new URLSearchParams(kept.map((name) => [name, filters[name].value]))
  if (view !== '') query.set('view', view)
  return query.size > 0 ? `/inbox?${query.toString()}` : '/inbox'
}
