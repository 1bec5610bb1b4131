import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { problemOf, type Problem } from '../api/problem'
import { planEdit, type Approval, type Arguments, type Plan, type Shown } from './approval'

/** Milliseconds without a keystroke before a plan is requested. */
const pauseMs = 300

interface Answer { of: string, plan?: Plan | Approval, problem?: Problem }

export interface Planning {
  /** The last plan; the approval itself before the first edit, and while what is typed can have no plan. */
  shown: Shown
  /** Whether `shown` is the plan of the typed arguments. */
  current: boolean
  /** Why the typed arguments have no plan. */
  problem: Problem | undefined
  busy: boolean
  /** Shows a plan that the server requires the person to review. */
  offer: (plan: Plan) => void
  again: () => void
}

const requestPlan = async (id: string, args: Arguments, signal: AbortSignal): Promise<Omit<Answer, 'of'>> => {
  try {
    return { plan: await planEdit(id, args, signal) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** Plans the typed arguments whenever they change. `typed` undefined: they are not valid. */
export const usePlanning = (approval: Approval, typed: Arguments | undefined): Planning => {
  const answer = useSignal<Answer>({ of: '' })
  const tries = useSignal(0)
  const typedJson = typed && JSON.stringify(typed)
  const key = `${approval.id} ${typedJson}`
  useEffect(() => {
    if (typed === undefined || answer.peek().of === key) return
    if (typedJson === JSON.stringify(approval.arguments)) {
      answer.value = { of: key, plan: approval }
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      void requestPlan(approval.id, typed, controller.signal).then((found) => {
        if (!controller.signal.aborted) answer.value = { plan: answer.peek().plan, ...found, of: key }
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key, tries.value])
  const { of, plan, problem } = answer.value
  const isOf = of === key
  return {
    shown: typed === undefined || (isOf && problem) ? approval : plan ?? approval,
    current: isOf && problem === undefined,
    problem: isOf ? problem : undefined,
    busy: typed !== undefined && !isOf,
    offer: (offered) => { answer.value = { of: key, plan: offered } },
    again: () => {
      answer.value = { of: '', plan }
      tries.value++
    }
  }
}
