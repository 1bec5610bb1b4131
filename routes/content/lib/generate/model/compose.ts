import type { Static, TSchema } from '@sinclair/typebox'
import type { BriefBody, ContentBody } from 'steward-prose-engine/schemas'
import { callOf, disclaimersOf, noteOf, fitWords } from '../../template/outline.js'
import { readText } from '../../text/read-text.js'
import { EmailAnswer, PlanAnswer, PostsAnswer, SectionAnswer, SeoAnswer } from './answers.js'
import { limitOf, tasks } from './prompts.js'
import { proveClaims } from './prove-claims.js'
import { fixByRules, repairRounds } from './rounds.js'
import type { Work, Written } from './work.js'

const maxTokens = 8_000

type Part = Pick<ContentBody, 'title' | 'summary' | 'body_markdown' | 'fields'> & { facts: string[] }

const requestPart = <S extends TSchema>(work: Work, name: string, schema: S, task: string): Promise<Static<S>> =>
  work.step(name, async (ask) => {
    const { system, material } = work
    return ask({ system, material, task, schema, maxTokens })
  })

const clean = (markdown: string): string => markdown.trim().replace(/^#{1,2}(?=\s)/gm, '###')
  .replace(/\[\^[^\][]*\]/g, '')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/^#+\s*/, '').trim()

/** Drops ids that the brief does not have. */
const knownFacts = (brief: BriefBody | null, ids: readonly string[]): string[] =>
  [...new Set(ids)].filter((id) => brief?.facts.some((fact) => fact.id === id))

const withNotes = (brief: BriefBody | null, { paragraphs }: Pick<SectionAnswer, 'paragraphs'>): string =>
  paragraphs.map(({ markdown, fact_ids: ids }) => {
    const notes = knownFacts(brief, ids).map((id) => `[^${id}]`).join('')
    const text = clean(markdown)
    // A note behind a list would become a part of its last item; there it stands alone.
    return text === '' ? '' : `${text}${notes}`
  }).filter(Boolean).join('\n\n')

const article = async (work: Work): Promise<Part> => {
  const { request, brief, measure: { brand, channel } } = work
  const plan = await requestPart(work, 'plan', PlanAnswer, tasks.plan(request))
  const outline = plan.sections.map(({ heading }) => heading)
  const sections = await Promise.all(plan.sections.map((section, index) => requestPart(work,
    `section:${index + 1}`, SectionAnswer, tasks.section(request, outline, section))))
  const used = knownFacts(brief, sections.flatMap(({ paragraphs }) => paragraphs.flatMap(({ fact_ids: ids }) => ids)))
  const blocks = [
    ...sections.flatMap((section, index) =>
      [`## ${oneLine(plan.sections[index]?.heading ?? '')}`, withNotes(brief, section)]),
    brief ? callOf(brief) : undefined,
    ...disclaimersOf(brand, channel),
    ...brief?.facts.filter(({ id }) => used.includes(id)).map(noteOf) ?? []
  ].filter((block) => block !== undefined && block !== '')
  return {
    title: oneLine(plan.title),
    summary: oneLine(plan.summary),
    body_markdown: `${blocks.join('\n\n')}\n`,
    fields: {},
    facts: used
  }
}

const email = async (work: Work): Promise<Part> => {
  const { request, brief, base, measure: { brand } } = work
  const answer = await requestPart(work, 'draft', EmailAnswer, tasks.email(request, brand.channels.email))
  const text = answer.paragraphs.map(({ markdown }) => clean(markdown)).filter(Boolean)
  const blocks = [...text, brief ? callOf(brief) : undefined, ...disclaimersOf(brand, 'email')]
    .filter((block) => block !== undefined)
  return {
    title: base.title,
    summary: oneLine(answer.summary),
    body_markdown: `${blocks.join('\n\n')}\n`,
    fields: { subject: oneLine(answer.subject), preheader: oneLine(answer.preheader) },
    facts: knownFacts(brief, answer.paragraphs.flatMap(({ fact_ids: ids }) => ids))
  }
}

const social = async (work: Work): Promise<Part> => {
  const { request, brief, base, measure: { brand, network } } = work
  const limit = limitOf(brand, network)
  const answer = await requestPart(work, 'draft', PostsAnswer, tasks.posts(request, limit))
  const posts = [...answer.posts.map(({ text }) => ({ text: text.trim() })),
    ...disclaimersOf(brand, 'social').map((text) => ({ text }))].filter(({ text }) => text !== '').slice(0, 25)
  return {
    title: base.title,
    summary: oneLine(answer.summary),
    body_markdown: '',
    fields: { posts },
    facts: knownFacts(brief, answer.posts.flatMap(({ fact_ids: ids }) => ids))
  }
}

const bodyOf = ({ base, brief }: Work, { facts, ...part }: Part): ContentBody => ({
  ...base,
  ...part,
  title: fitWords(part.title || base.title, 200),
  summary: fitWords(part.summary, 500),
  citations: (brief?.facts ?? []).filter(({ id }) => facts.includes(id))
    .map(({ id, text, source }) => ({ fact_id: id, quote: source.quote ?? text }))
})

const withSeo = async (work: Work, body: ContentBody): Promise<ContentBody> => {
  const { request, measure: { brand, channel } } = work
  if (channel === 'social' || channel === 'email') return body
  const { title, description } = await requestPart(work, 'seo', SeoAnswer, tasks.seo(request, body, brand.seo))
  const seo = {
    title: fitWords(oneLine(title), brand.seo.title_max),
    description: fitWords(oneLine(description), brand.seo.description_max)
  }
  return { ...body, seo: { ...body.seo, ...seo } }
}

/** Writes outline, draft, fixes and search fields; then proves what it says. */
export const compose = async (work: Work): Promise<Written> => {
  const { channel } = work.measure
  const part = await { social, email }[channel as 'social' | 'email']?.(work) ?? await article(work)
  const linked = await readText('removeUngroundedLinks', work.measure, await fixByRules(work, bodyOf(work, part)))
  const repaired = await repairRounds(work, linked.body)
  const unlinked = await readText('removeUngroundedLinks', work.measure, repaired)
  return { ...await proveClaims(work, await withSeo(work, unlinked.body), part.facts), refused: linked.refused }
}
