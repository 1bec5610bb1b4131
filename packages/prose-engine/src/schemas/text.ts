import { Type, type Static } from '@sinclair/typebox'
import { Waiver } from './reports.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number) => Type.String({ maxLength })
const Url = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/]+', examples: ['https://example.com/page'] })

export const ContentFields = Type.Object({
  subject: Type.Optional(Text(300)),
  preheader: Type.Optional(Text(300)),
  from_name: Type.Optional(Text(100)),
  posts: Type.Optional(Type.Array(Type.Object({ text: Text(10_000) }, closed), { minItems: 1, maxItems: 25 })),
  nav: Type.Optional(Text(200)),
  section: Type.Optional(Text(200))
}, {
  $id: 'ContentFields',
  ...closed,
  default: {},
  description: 'email: subject, preheader, from_name; social: posts; docs: nav, section'
})
export type ContentFields = Static<typeof ContentFields>

export const ContentSeo = Type.Object({
  title: Type.Optional(Text(200)),
  description: Type.Optional(Text(500)),
  canonical: Type.Optional(Url),
  og_image: Type.Optional(Url),
  keywords: Type.Array(Text(80), { maxItems: 20, default: [] }),
  noindex: Type.Boolean({ default: false })
}, { $id: 'ContentSeo', ...closed, default: {} })

export const ContentMedia = Type.Object({
  url: Url,
  alt: Text(500),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }))
}, { $id: 'ContentMedia', ...closed })

export const FactCitation = Type.Object({
  fact_id: Type.String(), quote: Type.String()
}, { $id: 'FactCitation', description: 'A fact of the brief that the text rests on' })
export type FactCitation = Static<typeof FactCitation>

/** The body of a version: everything that people or engines write. */
export const ContentBody = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  slug: Type.String(),
  summary: Type.String({ maxLength: 500, default: '' }),
  body_markdown: Type.String({ maxLength: 200_000, default: '' }),
  fields: ContentFields,
  seo: ContentSeo,
  media: Type.Array(ContentMedia, { maxItems: 20, default: [] }),
  waivers: Type.Array(Waiver, {
    maxItems: 50, default: [], description: 'Findings that are right as they are, with the reason; part of the version'
  }),
  citations: Type.Array(FactCitation)
})
export type ContentBody = Static<typeof ContentBody>
