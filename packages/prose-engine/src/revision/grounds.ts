import type { BrandRules } from '../schemas/brand.js'
import type { BriefBody } from '../schemas/brief.js'
import type { Channel, Network } from '../schemas/channels.js'
import type { ContentBody } from '../schemas/text.js'
import type { Style } from '../schemas/styles.js'

/** What a text is checked by: its slot, its brand and its sources. */
export interface Measure {
  channel: Channel
  network: Network | null
  locale: string
  brand: BrandRules
  brand_version: number
  styles: readonly Style[]
  /** The brief, with the texts of the sources among its facts. */
  grounds: BriefBody
}

const nothing: BriefBody = {
  title: '-',
  goal: '',
  key_message: '-',
  points: [],
  facts: [],
  channels: [],
  locales: [],
  keywords: [],
  must_include: [],
  must_avoid: []
}

const linkedIn = (markdown: string): string[] => markdown.match(/\bhttps?:\/\/[^\s)>\]"']+/g) ?? []

/** @returns the sources that the text may use: the brief, and the texts that it is derived from */
export const groundsOf = (brief: BriefBody | null, sources: readonly ContentBody[]): BriefBody => {
  const base = brief ?? nothing
  const facts = sources.flatMap((source, at) => {
    const { title, summary, body_markdown, fields, seo } = source
    const posts = fields.posts?.map(({ text }) => text) ?? []
    const text = [title, summary, body_markdown, fields.subject, fields.preheader, seo.title, seo.description, ...posts]
      .filter((text) => text !== undefined).join('\n\n')
    const refs = ['', ...linkedIn(text)]
    return refs.map((ref, index) => ({
      id: `source-${at + 1}-${index}`, text: index === 0 ? text : '', source: { kind: 'url' as const, ref }
    }))
  })
  return { ...base, facts: [...base.facts, ...facts] }
}
