import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useAction } from '../api/action'
import type { Problem } from '../api/problem'
import { decide, readLatest, type Approval, type Decision, type Outcome } from './approval'

export type OnChange = (approval: Approval, how: 'decided' | 'settled' | 'changed') => void

/** Milliseconds without decisions after one approval has replaced another, which the reader has not read yet. */
const unreadMs = 600

/** @returns whether the card has just changed under the reader's hand */
export const useUnread = (id: string): boolean => {
  const unread = useSignal('')
  const seen = useSignal(id)
  useEffect(() => {
    if (seen.peek() === id) return
    seen.value = id
    unread.value = id
    const timer = setTimeout(() => { unread.value = '' }, unreadMs)
    return () => clearTimeout(timer)
  }, [id])
  return unread.value === id || seen.value !== id
}

/** @returns whether what stands in the way may pass, such as a deployment that is under way */
export const mayPass = ({ body }: Problem): boolean => {
  // The schema of a problem does not list further members: `cause` is the problem of the call that Steward made.
  const { cause } = (body ?? {}) as { cause?: { status?: number } }
  return cause?.status === 409
}

/** Sends the decision on what the card shows, and applies its outcome. */
export const useDecision = (approval: Approval, onChange: OnChange, onEnd: (outcome?: Outcome) => void) => {
  const impossible = useSignal<{ id: string, why: Problem }>()
  const stale = useSignal(false)
  const unread = useUnread(approval.id)
  const action = useAction(async (decision: Decision) => {
    stale.value = false
    const outcome = await decide(approval, decision)
    stale.value = outcome.kind === 'stale'
    if (outcome.kind === 'impossible') impossible.value = { id: approval.id, why: outcome.why }
    if ('approval' in outcome) onChange(outcome.approval, outcome.kind)
    onEnd(outcome)
  })
  const reload = useAction(async () => {
    const now = await readLatest(approval)
    if (now.id !== approval.id) onChange(now, 'changed')
    else if (now.status !== 'pending') onChange(now, 'settled')
  })
  return {
    run: async (decision: Decision) => {
      if (!unread && !await action.run(decision)) onEnd()
    },
    busy: action.busy,
    unread,
    problem: action.problem,
    stale: stale.value,
    why: impossible.value?.id === approval.id ? impossible.value.why : undefined,
    /** Reads the current state of an approval that can no longer be planned. */
    reload: reload.run
  }
}
