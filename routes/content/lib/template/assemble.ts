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

/** @returns the sentences as posts, each with as many sentences as fit into the limit */
export const splitPosts = (sentences: string[], limit: number, measure = graphemes): string[] => {
  const posts: string[] = []
  let open = ''
  for (const sentence of sentences) {
    const next = open === '' ? sentence : `${open} ${sentence}`
    if (measure(next) <= limit) {
      open = next
      continue
    }
    if (open !== '') posts.push(open)
    open = measure(sentence) <= limit ? sentence : fitWords(sentence, limit)
  }
  return open === '' ? posts : [...posts, open]
}

export const engineVersion = 2
export const banner = 'Assembled from the brief by a template; no language model wrote this.'

type AssembledText = Omit<ContentBody, 'slug' | 'waivers' | 'media'>

const sentence = (text: string): string => /[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`

const factsOf = (brief: BriefBody, ids: string[]): BriefFact[] =>
  ids.flatMap((id) => brief.facts.find((fact) => fact.id === id) ?? [])

export const noteOf = ({ id, source: { kind, ref, quote } }: BriefFact): string => {
  const from = kind === 'url' ? `<${ref}>` : ref
  return `[^${id}]: ${quote === undefined ? '' : `“${quote.trim()}” `}${from}`
}

const audienceOf = (brief: BriefBody, brand: BrandRules): string | undefined =>
  brief.audience ?? brand.audiences.find(({ key }) => key === brief.audience_key)?.name

export const callOf = ({ cta }: BriefBody): string | undefined =>
  cta ? (cta.url ? `[${cta.text}](${cta.url})` : sentence(cta.text)) : undefined

export const disclaimersOf = (brand: BrandRules, channel: BriefChannel['channel']): string[] =>
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

const common = (brief: BriefBody, brand: BrandRules): AssembledText => ({
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

const whole = (blocks: readonly (string | undefined)[]): string =>
  `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`

const notesOf = (brief: BriefBody): string[] => usedFacts(brief).map(noteOf)

const mark = (what: string): string => `[[WRITE: ${what}]]`

const blog = (brief: BriefBody, brand: BrandRules): string => {
  const audience = audienceOf(brief, brand)
  return whole([
    sentence(brief.key_message), audience === undefined ? undefined : `For ${sentence(audience)}`,
    ...pointBlocks(brief),
    callOf(brief), ...disclaimersOf(brand, 'blog'), ...notesOf(brief)
  ])
}

/** A page of documentation: what is needed first, the parts, and where to go on. */
const docs = (brief: BriefBody, brand: BrandRules): string => whole([
  sentence(brief.key_message),
  '## Before you begin', mark('what readers need before they begin, or take this part out'),
  ...pointBlocks(brief),
  '## Next steps', callOf(brief) ?? mark('where readers go from here'),
  ...disclaimersOf(brand, 'docs'), ...notesOf(brief)
])

/** A landing page: the promise, what to do, why, for whom, and what to do again. */
const landing = (brief: BriefBody, brand: BrandRules): string => {
  const benefits = brief.points.map(({ text, fact_ids: ids }) => {
    const facts = factsOf(brief, ids).map((fact) => `${sentence(fact.text)}[^${fact.id}]`)
    return `- **${sentence(text)}** ${facts.length > 0 ? facts.join(' ') : mark(`what shows that ${text.trim()}`)}`
  })
  const call = callOf(brief) ?? mark('the one thing that visitors shall do')
  return whole([
    `**${sentence(brief.key_message)}**`, call, '## What you get', benefits.join('\n'), '## Who it is for',
    sentence(audienceOf(brief, brand) ?? mark('for whom this is, and for whom it is not')), call,
    ...disclaimersOf(brand, 'landing'), ...notesOf(brief)
  ])
}

/** What people wrote at the code host is text, whatever Markdown would make of it. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#~|!&]/g, (sign) => `\\${sign}`)

/** A change and a link to it: "pr-12" is #12, "c-1a2b3c4" a commit. */
const changeOf = ({ id, text, source: { kind, ref } }: BriefFact): string => {
  const label = id.startsWith('pr-') ? `#${id.slice(3)}` : id.startsWith('c-') ? id.slice(2, 9) : 'source'
  return `- ${escaped(text.trim())}${kind === 'url' ? ` ([${label}](${ref}))` : ''}`
}

const breaking = /\bbreaking\b/i

/** Release notes: a list of changes for each group, each with its link; what breaks asks for what to do. */
const releaseNotes = (brief: BriefBody, brand: BrandRules): string => whole([
  sentence(brief.key_message),
  ...brief.points.flatMap(({ text, fact_ids: ids }) => {
    const changes = factsOf(brief, ids).map(changeOf)
    return [
      `## ${text.trim().replace(/[.!]$/, '')}`,
      changes.length > 0 ? changes.join('\n') : mark(text.trim()),
      breaking.test(text) ? mark('what whoever upgrades must do') : undefined
    ]
  }),
  callOf(brief), ...disclaimersOf(brand, 'release_notes')
])

const bodies = { blog, docs, landing, release_notes: releaseNotes }

const page = (brief: BriefBody, brand: BrandRules, channel: keyof typeof bodies): AssembledText =>
  ({ ...common(brief, brand), body_markdown: bodies[channel](brief, brand) })

const email = (brief: BriefBody, brand: BrandRules): AssembledText => {
  const { subject_max: subject, preheader_max: preheader } = brand.channels.email
  const bullets = brief.points.map(({ text, fact_ids: ids }) => {
    const facts = factsOf(brief, ids).map((fact) => sentence(fact.text))
    return `- ${[sentence(text), ...(facts.length > 0 ? facts : [mark(`what shows that ${text.trim()}`)])].join(' ')}`
  })
  const call = callOf(brief) ?? mark('what readers shall do')
  return {
    ...common(brief, brand),
    body_markdown: whole([sentence(brief.key_message), bullets.join('\n'), call, ...disclaimersOf(brand, 'email')]),
    fields: { subject: fitWords(brief.title, subject), preheader: fitWords(brief.key_message, preheader) }
  }
}

const limitOf = (brand: BrandRules, network: Network): number =>
  Math.min(brand.channels.social[network].limit ?? Infinity, networkLimits[network])

const social = (brief: BriefBody, brand: BrandRules, { network, length }: BriefChannel): AssembledText => {
  const limit = limitOf(brand, network ?? 'x')
  const facts = usedFacts(brief).map(({ text }) => sentence(text))
  const missing = brief.points.filter(({ fact_ids: ids }) => ids.length === 0).map(({ text }) => mark(text.trim()))
  const body = length === 'short' ? [] : [...facts, ...missing]
  const sentences = [sentence(brief.key_message), ...body, ...disclaimersOf(brand, 'social')]
  const url = brief.cta?.url
  const measure = (text: string) => postLength(network ?? 'x', text)
  const posts = splitPosts(sentences, limit, measure)
  const last = posts.at(-1) ?? ''
  const isRoom = url !== undefined && measure(`${last}\n${url}`) <= limit
  const all = url === undefined ? posts : isRoom ? [...posts.slice(0, -1), `${last}\n${url}`] : [...posts, url]
  return { ...common(brief, brand), fields: { posts: all.slice(0, 25).map((text) => ({ text })) } }
}

/**
 * Assembles the brief in the form of a channel. Every word is from the brief or the brand; gaps are marked.
 * @returns the same bytes for the same brief and brand
 */
export const assemble = (brief: BriefBody, brand: BrandRules, channel: BriefChannel): AssembledText => {
  switch (channel.channel) {
    case 'social': return social(brief, brand, channel)
    case 'email': return email(brief, brand)
    default: return page(brief, brand, channel.channel)
  }
}
