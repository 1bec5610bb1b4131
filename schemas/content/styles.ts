import { RefusedRule, ruleKinds, severities } from 'steward-prose-engine/schemas'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Timestamp, Words } from '../common.js'

export const StyleParams = Type.Object({
  project_id: Id,
  style: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$',
    examples: ['Google'],
    description: 'Its name, such as Google'
  })
})

export const BrandStyleRules = Type.Object({
  name: Type.String(),
  hash: Type.String({ description: 'Of the rules' }),
  rules: Type.Array(Type.Object({
    rule_id: Type.String({ description: 'As findings name it' }),
    kind: Words(ruleKinds),
    severity: Words(severities),
    message: Type.String()
  })),
  refused: Type.Array(RefusedRule, { description: 'What is not applied, and why' }),
  updated_by: Id,
  updated_at: Timestamp
}, { $id: 'BrandStyleRules' })
export type BrandStyleRules = Static<typeof BrandStyleRules>

export const BrandStyleList = Type.Object({ items: Type.Array(BrandStyleRules) }, { $id: 'BrandStyleList' })
