import { Type, type Static } from '@sinclair/typebox'

export const FindTools = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'What is to be done, in plain words of any language, such as "compare two versions of an article"'
  })
})

export const FoundTool = Type.Object({
  name: Type.String({ description: 'The operationId' }),
  effect: Type.Union([Type.Literal('read'), Type.Literal('write')], {
    description: 'A read runs at once; a write asks a person first'
  }),
  description: Type.String({ description: 'When to use it and what it gives back' })
}, { $id: 'FoundTool' })

export const FoundTools = Type.Object({
  items: Type.Array(FoundTool, { description: 'The best first' }),
  names: Type.Array(Type.String(), { description: 'Their names: the assistant has these tools from now on' })
}, { $id: 'FoundTools' })
export type FoundTools = Static<typeof FoundTools>
