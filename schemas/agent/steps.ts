import { Type, type Static } from '@sinclair/typebox'
import { PasskeySignature } from '../account/passkeys.js'
import { Id, Nullable, Words } from '../common.js'
import { ConfirmResult, decisionWords, Digest, onBehalfOf, planFields } from './confirmations.js'
import { Requirement } from './requirements.js'

const number = Type.Integer({ minimum: 1, description: 'Its place in the order in which the steps run' })

export const PlannedStep = Type.Object({
  step: number,
  tool_call_id: Id,
  confirmation_id: Nullable(Type.Unsafe<string>({
    ...Id, description: 'Its question; null = it is asked with the first approval of the plan'
  })),
  name: Type.String(),
  ...planFields,
  undo: Nullable(Type.String({ description: 'How it can be taken back; null = Steward cannot take it back' })),
  forbidden: Nullable(Type.String({ description: 'Why the rules forbid it: the plan cannot be approved then' })),
  requirement: Requirement
}, { $id: 'PlannedStep', description: 'A write, planned on the state that the steps before it will leave' })
export type PlannedStep = Static<typeof PlannedStep>

export const PlanOfSteps = Type.Object({
  session_id: Id,
  run_id: Id,
  input_digest: Type.String({ description: 'Of all steps in their order: an approval sends it back' }),
  risk: Words(['low', 'medium', 'high'], { description: 'The highest of its steps' }),
  missing: Type.Integer({ minimum: 0, description: 'How many people still have to approve the plan as it is now' }),
  may_approve: Type.Boolean({ description: 'Whether an approval of mine would count now' }),
  steps: Type.Array(PlannedStep)
}, { $id: 'PlanOfSteps' })
export type PlanOfSteps = Static<typeof PlanOfSteps>

export const DecideSteps = Type.Object({
  approved: Type.Boolean(),
  ...decisionWords,
  on_behalf_of: onBehalfOf,
  signature: Type.Optional(PasskeySignature),
  input_digest: Type.Optional(Type.Unsafe<string>({
    ...Digest, description: 'Of the plan that was shown; an approval needs it'
  })),
  high_risk: Type.Optional(Type.Array(number, {
    maxItems: 50, description: 'The steps of high risk; an approval names each of them'
  }))
}, { $id: 'DecideSteps', additionalProperties: false })
export type DecideSteps = Static<typeof DecideSteps>

export const DecidedSteps = Type.Object({
  session_id: Id,
  run_id: Id,
  status: Words(['approved', 'rejected', 'pending'], {
    description: '`pending`: the approval counts, and others have to approve too; nothing runs yet'
  }),
  missing: Type.Integer({ minimum: 0, description: 'How many people still have to approve' }),
  already_decided: Type.Boolean(),
  items: Type.Array(ConfirmResult, { description: 'One for each step that was asked, in their order' }),
  stream_url: Type.String()
}, { $id: 'DecidedSteps' })
export type DecidedSteps = Static<typeof DecidedSteps>

export const StepProgress = Type.Object({
  step: number,
  tool_call_id: Id,
  confirmation_id: Type.Unsafe<string>({ ...Id, description: 'Its question in this plan' }),
  name: Type.String(),
  summary: Type.String(),
  risk: Words(['low', 'medium', 'high']),
  status: Type.String({ description: 'Where its call stands, as in getToolCall: `awaiting` … `succeeded`, `unknown`' }),
  has_ended: Type.Boolean(),
  stopped: Nullable(Type.String({ description: 'Of a step that the plan did not run: which step ended it, and why' }))
}, { $id: 'StepProgress' })
export type StepProgress = Static<typeof StepProgress>

export const StepsProgress = Type.Object({
  session_id: Id,
  run_id: Id,
  status: Words(['pending', 'running', 'succeeded', 'stopped', 'unknown', 'rejected'], {
    description: '`pending`: others have to approve; `stopped`: a step did not succeed or met another state, and ' +
      'what came after it did not run; `unknown`: a step was sent, and nobody knows what became of it'
  }),
  steps: Type.Array(StepProgress, { description: 'In their order, without results: those are of who asked' })
}, { $id: 'StepsProgress' })
export type StepsProgress = Static<typeof StepsProgress>
