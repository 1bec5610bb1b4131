import { Type, type Static } from '@sinclair/typebox'
import { maxInteger, Nullable } from '../common.js'
import { CheckReport } from 'steward-spec-engine/schemas'
import { Generation } from './generations.js'
import { SpecInput } from './inputs.js'
import { SpecSession } from './sessions.js'
import { SpecVersion, SpecVersionSummary } from './versions.js'

const parts = ['inputs', 'spec', 'checks', 'generations', 'versions'] as const
const part = `(?:${parts.join('|')})`

/** How many versions and generations are included; the lists have the others. */
export const maxIncluded = 30

export const SpecSessionQuery = Type.Object({
  include: Type.Optional(Type.String({
    pattern: `^${part}(?:,${part}){0,${parts.length - 1}}$`,
    examples: ['inputs'],
    description: `What comes along under \`included\`, with commas: ${parts.join(', ')}. Of versions and generations ` +
      `the newest ${maxIncluded}`
  })),
  version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'Of the spec and its checks; default: the current one'
  }))
})
export type SpecSessionQuery = Static<typeof SpecSessionQuery>

export const Included = Type.Partial(Type.Object({
  inputs: Type.Array(SpecInput),
  spec: Nullable(SpecVersion),
  checks: Nullable(CheckReport),
  generations: Type.Array(Generation),
  versions: Type.Array(SpecVersionSummary)
}))
export type Included = Static<typeof Included>

export const WholeSpecSession = Type.Object({
  ...SpecSession.properties, included: Type.Optional(Included)
}, { $id: 'WholeSpecSession', description: 'A spec session with what `include` asks for' })
