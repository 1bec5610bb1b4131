import { stepNames, type BuildStep, type StepName } from '../../../../schemas/deployments/builds.js'

/** Seconds that a step may take. */
const timeouts: Record<StepName, number> = { checkout: 600, build: 1_800, push: 600, deploy: 1_800, verify: 600 }

export const freshSteps = (): BuildStep[] => stepNames.map((name) => ({
  name, status: 'pending', started_at: null, finished_at: null, exit_code: null, error: null, timeout_s: timeouts[name]
}))

/** @returns the step that runs */
export const runningStep = (steps: BuildStep[]): BuildStep | undefined =>
  steps.find(({ status }) => status === 'running')

/** @returns the steps with one of them changed */
export const withStep = (steps: BuildStep[], name: StepName, change: Partial<BuildStep>): BuildStep[] =>
  steps.map((step) => step.name === name ? { ...step, ...change } : step)

/** @returns the steps of a build that comes to its end while one of them runs; those not begun never will */
export const closeSteps = (steps: BuildStep[], how: 'failed' | 'cancelled', error: string | null): BuildStep[] =>
  steps.map((step) => {
    if (step.status === 'running') return { ...step, status: how, error, finished_at: new Date() }
    return step.status === 'pending' ? { ...step, status: how === 'cancelled' ? 'cancelled' : 'skipped' } : step
  })
