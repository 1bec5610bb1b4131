import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../common.js'

export const StepOf = Type.Object({
  id: Type.Unsafe<string>({ ...Id, description: 'The same for all steps of the plan' }),
  step: Type.Integer({ minimum: 1 }),
  of: Type.Integer({ minimum: 1, description: 'How many steps the plan has' }),
  input_digest: Type.String({ description: 'Of the whole plan: what the votes are for' })
}, { $id: 'StepOf', description: 'The plan of steps with which it is decided' })
export type StepOf = Static<typeof StepOf>
