import { useSignal } from '@preact/signals'
import type { PlanOfSteps } from '../../approvals/steps'

/** Which steps of high risk the reader has named, of the plan on the screen alone. */
export const useNamed = ({ input_digest: digest, steps }: PlanOfSteps) => {
  const named = useSignal<{ of: string, steps: ReadonlySet<number> }>({ of: digest, steps: new Set() })
  const now = named.value.of === digest ? named.value.steps : new Set<number>()
  const high = steps.filter(({ risk }) => risk === 'high').map(({ step }) => step)
  return {
    has: (step: number) => now.has(step),
    set: (step: number, isNamed: boolean) => {
      const others = [...now].filter((one) => one !== step)
      named.value = { of: digest, steps: new Set(isNamed ? [...others, step] : others) }
    },
    high,
    left: high.filter((step) => !now.has(step))
  }
}

export type Named = ReturnType<typeof useNamed>
