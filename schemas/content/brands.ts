import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, maxInteger, Nullable, Timestamp, Words } from '../common.js'
import {
  BrandAudience, BrandChannels, BrandClaims, BrandSeo, BrandStyle, BrandTone, BrandVoice, ToneByChannel
} from './brand-style.js'
import { BrandTerms } from './brand-terms.js'
import { BrandException } from './reports.js'
import { Locale, Locales } from './channels.js'
import { PublishTarget, PutTarget } from './targets.js'

const closed = { additionalProperties: false }

const settings = {
  name: Defaulted(Type.String({ maxLength: 200, default: '' })),
  description: Defaulted(Type.String({ maxLength: 2000, default: '' })),
  voice: Defaulted(BrandVoice),
  tone: Defaulted(BrandTone),
  tone_by_channel: Defaulted(ToneByChannel),
  audiences: Defaulted(Type.Array(BrandAudience, { maxItems: 10, default: [] })),
  terms: Defaulted(BrandTerms),
  style: Defaulted(BrandStyle),
  claims: Defaulted(BrandClaims),
  exceptions: Defaulted(Type.Array(BrandException, {
    maxItems: 100, default: [], description: 'Findings that are right in this brand\'s texts'
  })),
  channels: Defaulted(BrandChannels),
  seo: Defaulted(BrandSeo),
  locales: Defaulted(Type.Object({
    default: Type.Unsafe<string>({ ...Locale, default: 'en' }),
    enabled: Type.Unsafe<string[]>({ ...Locales, minItems: 1, default: ['en'] })
  }, { ...closed, default: {} })),
  allowed_link_hosts: Defaulted(Type.Array(Type.String({ minLength: 3, maxLength: 253, pattern: '^[a-z0-9.-]+$' }), {
    maxItems: 100, default: [], description: 'Hosts that content may link to beside those of its brief'
  })),
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
