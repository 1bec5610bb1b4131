import { Type, type Static } from '@sinclair/typebox'
import { Words } from './fields.js'
import { Channels } from './channels.js'

const closed = { additionalProperties: false }
const Term = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })

export const severities = ['error', 'warn', 'suggestion'] as const
export type Severity = typeof severities[number]

export const BannedTerm = Type.Object({
  term: Term,
  match: Words(['word', 'exact', 'phrase', 'regex'], {
    default: 'word',
    description: 'word: as whole words, with its inflections (leverage: leveraged, leveraging); exact: without them; ' +
      'phrase: wherever it stands; regex: an RE2 expression'
  }),
  case_sensitive: Type.Boolean({ default: false }),
  replacement: Type.Optional(Type.String({ maxLength: 120 })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  severity: Words(severities, { default: 'error' }),
  channels: Type.Optional(Channels)
}, { $id: 'BannedTerm', ...closed })
export type BannedTerm = Static<typeof BannedTerm>

export const RequiredTerm = Type.Object({
  term: Term,
  where: Words(['body', 'title', 'any'], { default: 'any' }),
  min: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
  channels: Type.Optional(Channels)
}, { $id: 'RequiredTerm', ...closed })
export type RequiredTerm = Static<typeof RequiredTerm>

export const PreferredTerm = Type.Object({
  use: Term,
  instead_of: Type.Array(Term, {
    minItems: 1,
    maxItems: 20,
    description: 'With their inflections, in any case, unless only the case differs: GitHub instead of Github'
  }),
  case_sensitive: Type.Boolean({ default: false, description: 'Whether only the words as they are written count' })
}, { $id: 'PreferredTerm', ...closed })

export const BrandTerms = Type.Object({
  banned: Type.Array(BannedTerm, { maxItems: 500, default: [] }),
  required: Type.Array(RequiredTerm, { maxItems: 100, default: [] }),
  preferred: Type.Array(PreferredTerm, { maxItems: 500, default: [] }),
  protected: Type.Array(Term, {
    maxItems: 200,
    default: [],
    description: 'Names, as they are written: never flagged, never rewritten, never translated. The same letters in ' +
      'another case are ordinary words: "go" is not Go. A preferred term says what becomes of those'
  })
}, { $id: 'BrandTerms', ...closed, default: {} })
export type BrandTerms = Static<typeof BrandTerms>
