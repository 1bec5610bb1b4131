import { Type, type Static } from '@sinclair/typebox'
import {
  BrandAudience, BrandChannels, BrandClaims, BrandSeo, BrandStyle, BrandTone, BrandVoice, ToneByChannel
} from './brand-style.js'
import { BrandTerms } from './brand-terms.js'
import { Locale, Locales } from './channels.js'
import { BrandException } from './reports.js'

const closed = { additionalProperties: false }

/** What the rules read of a brand. */
export const BrandRules = Type.Object({
  name: Type.String({ maxLength: 200, default: '' }),
  description: Type.String({ maxLength: 2000, default: '' }),
  voice: BrandVoice,
  tone: BrandTone,
  tone_by_channel: ToneByChannel,
  audiences: Type.Array(BrandAudience, { maxItems: 10, default: [] }),
  terms: BrandTerms,
  style: BrandStyle,
  claims: BrandClaims,
  exceptions: Type.Array(BrandException, {
    maxItems: 100, default: [], description: 'Findings that are right in this brand\'s texts'
  }),
  channels: BrandChannels,
  seo: BrandSeo,
  locales: Type.Object({
    default: Type.Unsafe<string>({ ...Locale, default: 'en' }),
    enabled: Type.Unsafe<string[]>({ ...Locales, minItems: 1, default: ['en'] })
  }, { ...closed, default: {} }),
  allowed_link_hosts: Type.Array(Type.String({
    minLength: 3, maxLength: 253, pattern: '^[a-z0-9.-]+$', examples: ['example.com']
  }), {
    maxItems: 100, default: [], description: 'Hosts that content may link to beside those of its brief'
  })
})
export type BrandRules = Static<typeof BrandRules>
