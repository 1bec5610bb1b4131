import { api, body, type Schemas } from '../api/client'
import { withStepsConsent } from '../passkeys/consent'

export type PlanOfSteps = Schemas['PlanOfSteps']
export type PlannedStep = Schemas['PlannedStep']
export type StepsProgress = Schemas['StepsProgress']
export type DecidedSteps = Schemas['DecidedSteps']

/** @returns the page on which the writes of a turn are decided as one plan; any of its questions names it */
export const planAddress = (confirmation: string): string => `/inbox/${confirmation}/plan`

const of = (confirmation_id: string) => ({ params: { path: { confirmation_id } } })

/** @returns the writes that wait, as one plan. @throws Problem: steps_not_found for one that waits alone */
export const readPlan = (id: string, signal: AbortSignal): Promise<PlanOfSteps> =>
  body(api.GET('/api/v1/agent/confirmations/{confirmation_id}/steps', { ...of(id), signal }))

/** @returns how far the decided plan has come. @throws Problem: steps_not_found for what was decided by itself */
export const readProgress = (id: string, signal: AbortSignal): Promise<StepsProgress> =>
  body(api.GET('/api/v1/agent/confirmations/{confirmation_id}/steps/progress', { ...of(id), signal }))

/** @returns whether an approval of the plan is a signature: one step that must be signed has all of them signed */
export const isSigned = ({ steps }: PlanOfSteps): boolean =>
  steps.some(({ requirement }) => requirement.signed === true)

/** Decides on the plan as it was shown, and has it signed where it must be. @throws Problem when nothing was decided */
export const decideSteps = (id: string, plan: PlanOfSteps, decision: Omit<Schemas['DecideSteps'], 'input_digest'>):
Promise<DecidedSteps> => {
  const decided = { ...decision, input_digest: plan.input_digest }
  return withStepsConsent({ id, requirement: { signed: isSigned(plan) } }, decided, (signature) =>
    body(api.POST('/api/v1/agent/confirmations/{confirmation_id}/steps',
      { ...of(id), body: { ...decided, ...(signature && { signature }) } })))
}
