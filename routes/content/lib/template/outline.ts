import {
  type BrandRules, type BriefBody, type BriefChannel, type BriefFact, type ContentBody, type Network, networkLimits
} from 'steward-prose-engine/schemas'
import { postLength, graphemes } from 'steward-prose-engine/text'

const cut = '…'

/** @returns the text, cut at a word where it is longer than so many characters; the cut is shown */
export const fitWords = (text: string, limit: number): string => {
  if (graphemes(text) <= limit) return text
  let kept = ''
  for (const word of text.split(/\s+/)) {
    const next = kept === '' ? word : `${kept} ${word}`
    if (graphemes(next) + cut.length > limit) break
    kept = next
  }
  const whole = kept === '' ? [...text].slice(0, limit - cut.length).join('') : kept
  return `${whole.replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}${cut}`
}

export const engineVersion = 3
export const banner = 'An outline: the facts of the brief in order. No language model wrote anything; [[WRITE]] is where you do.'

/** What a person still writes. */
const write = '[[WRITE]]'

/** The headings that a type of text has whatever it is about, by language; another language has none. */
const headings: Record<string, Record<'before' | 'next' | 'benefits' | 'audience', string>> = {
  en: { before: 'Before you begin', next: 'Next steps', benefits: 'What you get', audience: 'Who it is for' },
  de: { before: 'Voraussetzungen', next: 'Nächste Schritte', benefits: 'Was Sie davon haben', audience: 'Für wen es ist' },
  fr: { before: 'Avant de commencer', next: 'Étapes suivantes', benefits: 'Vos avantages', audience: 'À qui cela s’adresse' },
  es: { before: 'Antes de empezar', next: 'Pasos siguientes', benefits: 'Lo que obtiene', audience: 'Para quién es' }
}

const factsOf = (brief: BriefBody, ids: readonly string[]): BriefFact[] =>
  ids.flatMap((id) => brief.facts.find((fact) => fact.id === id) ?? [])

const usedFacts = (brief: BriefBody): BriefFact[] =>
  brief.facts.filter(({ id }) => brief.points.some(({ fact_ids: ids }) => ids.includes(id)))

export const noteOf = ({ id, source: { kind, ref, quote } }: BriefFact): string => {
  const from = kind === 'url' ? `<${ref}>` : ref
  return `[^${id}]: ${quote === undefined ? '' : `“${quote.trim()}” `}${from}`
}

export const callOf = ({ cta }: BriefBody): string | undefined => cta ? cta.url ? `[${cta.text}](${cta.url})` : cta.text : undefined

export const disclaimersOf = (brand: BrandRules, channel: BriefChannel['channel']): string[] =>
  brand.claims.disclaimers.filter(({ required_on: on }) => on.includes(channel)).map(({ text }) => text)

/** What people wrote elsewhere is text, whatever Markdown would make of it. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/[\\`*_[\]<>#~|!&]/g, (sign) => `\\${sign}`)

const headingOf = (text: string): string => `## ${text.trim().replace(/[.!]$/, '')}`

/** A change and a link to it: "pr-12" is #12, "c-1a2b3c4" a commit. */
const changeOf = ({ id, text, source: { kind, ref } }: BriefFact): string => {
  const label = id.startsWith('pr-') ? `#${id.slice(3)}` : id.startsWith('c-') ? id.slice(2, 9) : 'source'
  return `- ${escaped(text)}${kind === 'url' ? ` ([${label}](${ref}))` : ''}`
}

/** The points in order: each a heading with its facts, and room for what a person says of them. */
const pointsOf = (brief: BriefBody): string[] => brief.points.flatMap(({ text, fact_ids: ids }) => {
  const facts = factsOf(brief, ids).map((fact) => `- ${escaped(fact.text)}[^${fact.id}]`)
  return [headingOf(text), ...(facts.length > 0 ? [facts.join('\n')] : []), write]
})

/** A list of changes is the text itself: what a group lacks is written. */
const changesOf = (brief: BriefBody): string[] => brief.points.flatMap(({ text, fact_ids: ids }) =>
  [headingOf(text), factsOf(brief, ids).map(changeOf).join('\n') || write])

type Page = Exclude<BriefChannel['channel'], 'social'>

const blocksOf = (brief: BriefBody, channel: Page, locale: string): (string | undefined)[] => {
  const own = headings[locale.slice(0, 2)]
  const section = (name: keyof typeof headings[string]): string[] => own ? [`## ${own[name]}`, write] : []
  const call = callOf(brief)
  switch (channel) {
    case 'docs': return [write, ...section('before'), ...pointsOf(brief), ...section('next'), call]
    case 'landing': return [write, call, ...own ? [`## ${own.benefits}`] : [],
      ...brief.points.map(({ text, fact_ids: ids }) => [
        `- **${escaped(text)}** ${write}`, ...factsOf(brief, ids).map((fact) => `  - ${escaped(fact.text)}[^${fact.id}]`)
      ].join('\n')), ...section('audience')]
    case 'release_notes': return [write, ...changesOf(brief), call]
    case 'email': return [write, usedFacts(brief).map(({ text }) => `- ${escaped(text)}`).join('\n'), write, call]
    case 'blog': return [write, ...pointsOf(brief), call]
  }
}

const withNotes: readonly Page[] = ['blog', 'docs', 'landing']

const page = (brief: BriefBody, brand: BrandRules, channel: Page, locale: string): string => `${[
  ...blocksOf(brief, channel, locale), ...disclaimersOf(brand, channel),
  ...withNotes.includes(channel) ? usedFacts(brief).map(noteOf) : []
].filter((block) => block !== undefined && block !== '').join('\n\n')}\n`

const mostPosts = 25

/** The first post is to be written; then the facts, as many in each as fit, and the call. */
const postsOf = (brief: BriefBody, brand: BrandRules, network: Network): string[] => {
  const limit = Math.min(brand.channels.social[network].limit ?? Infinity, networkLimits[network])
  const texts = [...usedFacts(brief).map(({ text }) => text.trim()), ...disclaimersOf(brand, 'social'), ...callOf(brief) === undefined
    ? []
    : [brief.cta?.url ?? brief.cta?.text ?? '']]
  return texts.reduce<string[]>((posts, text) => {
    const joined = `${posts.at(-1) ?? ''}\n${text}`
    return postLength(network, joined) <= limit ? [...posts.slice(0, -1), joined] : [...posts, fitWords(text, limit)]
  }, [write]).slice(0, mostPosts)
}

/**
 * The outline of a text: the headings of its type in its language, the brief's facts in order with their citations, and
 * marks where a person writes. It has no sentence of its own.
 * @returns the same bytes for the same brief and brand
 */
export const outline = (brief: BriefBody, brand: BrandRules, { channel, network }: BriefChannel, locale: string):
Omit<ContentBody, 'slug' | 'waivers' | 'media'> => {
  const { subject_max: subject, preheader_max: preheader } = brand.channels.email
  return {
    title: brief.title.trim(),
    summary: fitWords(brief.key_message.trim(), 500),
    body_markdown: channel === 'social' ? '' : page(brief, brand, channel, locale),
    fields: {
      ...(channel === 'email' && { subject: fitWords(brief.title, subject), preheader: fitWords(brief.key_message, preheader) }),
      ...(channel === 'social' && { posts: postsOf(brief, brand, network ?? 'x').map((text) => ({ text })) })
    },
    seo: {
      title: fitWords(brief.title.trim(), brand.seo.title_max),
      description: fitWords(brief.key_message.trim(), brand.seo.description_max),
      keywords: brief.keywords,
      noindex: false
    },
    citations: usedFacts(brief).map(({ id, text, source }) => ({ fact_id: id, quote: source.quote ?? text }))
  }
}
