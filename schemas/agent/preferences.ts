import { Type, type Static } from '@sinclair/typebox'
import { Timestamp, Words, maxInteger } from '../common.js'

const kinds = ['rule', 'style', 'default', 'forbid'] as const
const key = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9][a-z0-9._-]*$', examples: ['tone'] })
const tools = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })

export const Preference = Type.Object(
  {
    key: Type.String(),
    kind: Words(kinds),
    value: Type.Unknown(),
    applies_to: Type.Array(Type.String()),
    status: Words(['active', 'suggested', 'disabled']),
    source: Words(['user', 'assistant']),
    version: Type.Integer(),
    updated_at: Timestamp
  },
  { $id: 'Preference' }
)
export type Preference = Static<typeof Preference>

export const PreferenceList = Type.Object({ items: Type.Array(Preference) }, { $id: 'PreferenceList' })

export const SetPreference = Type.Object(
  {
    key,
    kind: Words(kinds),
    value: Type.Union([Type.String({ minLength: 1, maxLength: 2_000 }), Type.Record(Type.String(), Type.Unknown())], {
      description:
        'rule and style: a sentence. default: arguments to fill in. ' +
          'forbid: arguments that make a call refused; {} refuses every call'
    }),
    applies_to: Type.Optional(tools),
    status: Type.Optional(Words(['active', 'disabled'])),
    version: Type.Optional(
      Type.Integer({
        minimum: 1, maximum: maxInteger, description: 'The version it replaces; refused if it is another'
      })
    )
  },
  { $id: 'SetPreference', additionalProperties: false }
)
export type SetPreference = Static<typeof SetPreference>

export const UpdatePreferences = Type.Object(
  {
    set: Type.Optional(Type.Array(SetPreference, { maxItems: 100 })),
    remove: Type.Optional(Type.Array(key, { maxItems: 100 }))
  },
  { $id: 'UpdatePreferences', additionalProperties: false }
)
export type UpdatePreferences = Static<typeof UpdatePreferences>
