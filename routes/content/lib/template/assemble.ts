import type { StoredBrand } from '../../../../db/content/tables.js'
import type { BriefBody, BriefChannel, BriefFact } from '../../../../schemas/content/briefs.js'
import { networkLimits, type Network } from '../../../../schemas/content/channels.js'
import type { ContentBody } from '../../../../schemas/content/contents.js'
import { graphemes } from '../lint/graphemes.js'
import { fitWords, splitPosts } from './fit.js'

export const engineVersion = 1
export const banner = 'Assembled from the brief by a template; no language model wrote this.'

type AssembledText = Omit<ContentBody, 'slug' | 'waivers' | 'media'>

const sentence = (text: string): string => /[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`

const factsOf = (brief: BriefBody, ids: string[]): BriefFact[] =>
  ids.flatMap((id) => brief.facts.find((fact) => fact.id === id) ?? [])

export const noteOf = ({ id, source: { kind, ref, quote } }: BriefFact): string => {
  const from = kind === 'url' ? `<${ref}>` : ref
  return `[^${id}]: ${quote === undefined ? '' : `“${quote.trim()}” `}${from}`
}

const audienceOf = (brief: BriefBody, brand: StoredBrand): string | undefined =>
  brief.audience ?? brand.audiences.find(({ key }) => key === brief.audience_key)?.name

export const callOf = ({ cta }: BriefBody): string | undefined =>
  cta ? (cta.url ? `[${cta.text}](${cta.url})` : sentence(cta.text)) : undefined

export const disclaimersOf = (brand: StoredBrand, channel: BriefChannel['channel']): string[] =>
  brand.claims.disclaimers.filter(({ required_on: on }) => on.includes(channel)).map(({ text }) => text)

const pointBlocks = (brief: BriefBody): string[] => brief.points.flatMap(({ text, fact_ids: ids }) => {
  const facts = factsOf(brief, ids)
  const cited = facts.map((fact) => `${sentence(fact.text)}[^${fact.id}]`)
  return [`## ${text.trim().replace(/[.!]$/, '')}`, cited.length > 0 ? cited.join(' ') : `[[WRITE: ${text.trim()}]]`]
})

const usedFacts = (brief: BriefBody): BriefFact[] =>
  brief.facts.filter(({ id }) => brief.points.some(({ fact_ids: ids }) => ids.includes(id)))

const citationsOf = (brief: BriefBody) =>
  usedFacts(brief).map(({ id, text, source }) => ({ fact_id: id, quote: source.quote ?? text }))

const common = (brief: BriefBody, brand: StoredBrand): AssembledText => ({
  title: brief.title.trim(),
  summary: fitWords(brief.key_message.trim(), 500),
  body_markdown: '',
  fields: {},
  seo: {
    title: fitWords(brief.title.trim(), brand.seo.title_max),
    description: fitWords(brief.key_message.trim(), brand.seo.description_max),
    keywords: brief.keywords,
    noindex: false
  },
  citations: citationsOf(brief)
})

const article = (brief: BriefBody, brand: StoredBrand, { channel }: BriefChannel): AssembledText => {
  const audience = audienceOf(brief, brand)
  const blocks = [
    sentence(brief.key_message),
    ...(audience === undefined ? [] : [`For ${sentence(audience)}`]),
    ...pointBlocks(brief),
    callOf(brief),
    ...disclaimersOf(brand, channel),
    ...usedFacts(brief).map(noteOf)
  ].filter((block) => block !== undefined)
  return { ...common(brief, brand), body_markdown: `${blocks.join('\n\n')}\n` }
}

const email = (brief: BriefBody, brand: StoredBrand): AssembledText => {
  const { subject_max: subject, preheader_max: preheader } = brand.channels.email
  const bullets = brief.points.map(({ text, fact_ids: ids }) =>
    `- ${[text, ...factsOf(brief, ids).map((fact) => fact.text)].map(sentence).join(' ')}`)
  const blocks = [sentence(brief.key_message), bullets.join('\n'), callOf(brief), ...disclaimersOf(brand, 'email')]
  return {
    ...common(brief, brand),
    body_markdown: `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`,
    fields: { subject: fitWords(brief.title, subject), preheader: fitWords(brief.key_message, preheader) }
  }
}

const limitOf = (brand: StoredBrand, network: Network): number =>
  Math.min(brand.channels.social[network].limit ?? Infinity, networkLimits[network])

const social = (brief: BriefBody, brand: StoredBrand, { network, length }: BriefChannel): AssembledText => {
  const limit = limitOf(brand, network ?? 'x')
  const facts = usedFacts(brief).map(({ text }) => sentence(text))
  const body = length === 'short' ? [] : facts
  const sentences = [sentence(brief.key_message), ...body, ...disclaimersOf(brand, 'social')]
  const url = brief.cta?.url
  const posts = splitPosts(sentences, limit)
  const last = posts.at(-1) ?? ''
  const isRoom = url !== undefined && graphemes(`${last}\n${url}`) <= limit
  const whole = url === undefined ? posts : isRoom ? [...posts.slice(0, -1), `${last}\n${url}`] : [...posts, url]
  return { ...common(brief, brand), fields: { posts: whole.slice(0, 25).map((text) => ({ text })) } }
}

/**
 * Assembles the brief in the form of a channel. Every word is from the brief or the brand; gaps are marked.
 * @returns the same bytes for the same brief and brand
 */
export const assemble = (brief: BriefBody, brand: StoredBrand, channel: BriefChannel): AssembledText => {
  switch (channel.channel) {
    case 'social': return social(brief, brand, channel)
    case 'email': return email(brief, brand)
    default: return article(brief, brand, channel)
  }
}
