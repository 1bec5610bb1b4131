import { Type, type Static } from '@sinclair/typebox'
import { Words } from '../common.js'

export const surfaceNames = ['browser', 'terminal', 'slack'] as const
export type Surface = typeof surfaceNames[number]

export const missingParts = ['summary', 'rows', 'length', 'diff', 'cut'] as const
export type MissingPart = typeof missingParts[number]

export const NotShown = Type.Object({
  surface: Words(surfaceNames),
  missing: Type.Array(Words(missingParts), {
    description: '`summary`: its end; `rows`: later changes; `length`: parts of long values; `diff`: how long texts ' +
      'differ; `cut`: what no card has whole, and `arguments` does'
  })
}, { $id: 'NotShown', description: 'What of the plan a surface cannot show: there it is not approved' })
export type NotShown = Static<typeof NotShown>
