import { Type, type Static } from '@sinclair/typebox'
import { NewInput } from './inputs.js'
import { sessionSettings, SpecOptions } from './sessions.js'

const { title, ...others } = sessionSettings

export const CreateSpecSession = Type.Object({
  title,
  ...Type.Partial(Type.Object(others)).properties,
  options: Type.Optional(Type.Partial(Type.Object(SpecOptions.properties), { additionalProperties: false })),
  inputs: Type.Optional(Type.Array(NewInput, { maxItems: 20 }))
}, {
  $id: 'CreateSpecSession',
  additionalProperties: false,
  description: 'Only the title is needed: a feature, of standard length, in EARS, in English'
})
export type CreateSpecSession = Static<typeof CreateSpecSession>
