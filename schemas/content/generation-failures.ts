import { Type, type Static } from '@sinclair/typebox'

export const ContentFailure = Type.Object({
  code: Type.String(), message: Type.String()
}, { $id: 'ContentFailure' })
export type ContentFailure = Static<typeof ContentFailure>
