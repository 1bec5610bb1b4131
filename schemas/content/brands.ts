import { Type, type Static } from '@sinclair/typebox'
import { BrandRules, RefusedRule, ruleKinds, severities } from 'steward-prose-engine/schemas'
import { Defaulted, Id, maxInteger, Nullable, Timestamp, Words } from '../common.js'
import { PublishTarget, PutTarget } from './targets.js'

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

const closed = { additionalProperties: false }

const rules = BrandRules.properties

const settings = {
  name: Defaulted(rules.name),
  description: Defaulted(rules.description),
  voice: Defaulted(rules.voice),
  tone: Defaulted(rules.tone),
  tone_by_channel: Defaulted(rules.tone_by_channel),
  audiences: Defaulted(rules.audiences),
  terms: Defaulted(rules.terms),
  style: Defaulted(rules.style),
  claims: Defaulted(rules.claims),
  exceptions: Defaulted(rules.exceptions),
  channels: Defaulted(rules.channels),
  seo: Defaulted(rules.seo),
  locales: Defaulted(rules.locales),
  allowed_link_hosts: Defaulted(rules.allowed_link_hosts),
  min_score: Defaulted(Type.Integer({ minimum: 0, maximum: 100, default: 80 })),
  approval: Defaulted(Type.Object({
    required: Type.Boolean({ default: true }),
    self_approval: Type.Boolean({ default: false, description: 'Whether authors may approve their own versions' }),
    by_reviewer: Type.Boolean({
      default: false, description: 'Whether only the assigned reviewer may approve a text that has one'
    }),
    publishers: Words(['member', 'admin'], { default: 'member', description: 'The role that publishing takes' })
  }, { ...closed, default: {} }))
}

export const BrandSettings = Type.Object(settings, { ...closed, default: {} })
export type BrandSettings = Static<typeof BrandSettings>

export const Brand = Type.Object({
  project_id: Id,
  configured: Type.Boolean({ description: 'false: not set yet, these are the defaults' }),
  version: Type.Integer({ description: '0 = not set yet' }),
  revision: Type.Integer({ description: 'The ETag is "r<revision>"' }),
  ...settings,
  publish_targets: Type.Array(PublishTarget),
  updated_by: Nullable(Id),
  updated_at: Nullable(Timestamp)
}, { $id: 'Brand' })
export type Brand = Static<typeof Brand>

const AsRead = Type.Optional(Type.Unknown({ description: 'As it was read; changed = 422 read_only_field' }))

export const ReplaceBrand = Type.Object({
  ...settings,
  publish_targets: Defaulted(Type.Array(PutTarget, { maxItems: 20, default: [] })),
  project_id: AsRead,
  configured: AsRead,
  version: AsRead,
  revision: AsRead,
  updated_by: AsRead,
  updated_at: AsRead
}, { $id: 'ReplaceBrand', ...closed })
export type ReplaceBrand = Static<typeof ReplaceBrand>

export const BrandParams = Type.Object({ project_id: Id })
export const BrandQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'An earlier version' }))
})
export const PutHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({
    maxLength: 1000, description: 'An ETag of the record, such as "r3": the change is made only if it is still current'
  })),
  'if-none-match': Type.Optional(Type.String({
    maxLength: 1000, description: '*: only if it is not set yet'
  }))
})
