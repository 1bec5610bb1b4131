import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from '../common.js'

export const ImageCheck = Type.Object({
  image: Type.String(),
  state: Words(['found', 'missing', 'unchecked'] as const, {
    description: 'unchecked: `why` says what kept the registry from being asked'
  }),
  digest: Nullable(Type.String({ description: 'What the registry has under this name now' })),
  why: Nullable(Type.String({ description: 'Why it is missing or unchecked' }))
}, { $id: 'ImageCheck', description: 'What its registry says of an image' })
export type ImageCheck = Static<typeof ImageCheck>
