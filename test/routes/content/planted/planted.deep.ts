import t from '../../../tap.js'
import { makeBrief, makeContent, makeOpenProject } from '../actors.js'
import { buildWithModel, modelActor, script } from '../model.js'
import { cases, type Case, type Draft } from './drafts.js'

const { app, model } = await buildWithModel(t)
const { json, run } = modelActor(app)
const project = await makeOpenProject(app, 'Planted')

const all = cases.flatMap(({ drafts }) => drafts)
const faulty = all.filter(({ kind }) => kind !== undefined)
const sound = all.filter(({ kind }) => kind === undefined)

/** A judge that overlooks every tenth fault, and doubts one true draft in thirty. */
const doubts = (draft: Draft): boolean =>
  draft.kind === undefined ? sound.indexOf(draft) % 30 === 11 : faulty.indexOf(draft) % 10 !== 3

const briefOf = ({ facts }: Case, index: number) => makeBrief(app, project, {
  title: `Case ${index}`,
  key_message: 'What we know',
  points: [{ text: 'What we know', fact_ids: [] }],
  facts: Object.entries(facts).map(([id, text]) => ({ id, text, source: { kind: 'text', ref: 'Notes' } }))
})

interface Read { text: string, verdict: string, reason: string | null }

/** @returns the statements of a draft: of one sentence that is split, the worst */
const flaggedIn = (drafts: readonly Draft[], items: readonly Read[], paragraphs: readonly string[]): Draft[] =>
  drafts.filter((_, index) => items.some(({ text, verdict }) =>
    paragraphs[index]?.includes(text.slice(0, 20)) && (verdict === 'not' || verdict === 'partly')))

const percent = (part: readonly unknown[], whole: readonly unknown[]) => Math.round(part.length / whole.length * 1000) / 10
const of = (drafts: readonly Draft[], isFault: boolean) => drafts.filter(({ kind }) => (kind !== undefined) === isFault)

t.test('by code alone: numbers, dates, names, quotations and denials are found, the rest is told as not checked', async (t) => {
  t.same([faulty.length, sound.length], [60, 60])
  const flagged: Draft[] = []
  for (const [index, one] of cases.entries()) {
    const brief = await briefOf(one, index)
    const notes = Object.keys(one.facts).map((id) => `[^${id}]: Notes`).join('\n')
    const texts = one.drafts.map(({ text, cites }) => `${text}${cites.map((id) => `[^${id}]`).join('')}`)
    const { id } = await makeContent(app, project,
      { title: `Case ${index}`, brief_id: brief.id, body_markdown: `${texts.join('\n\n')}\n\n${notes}\n` })
    const { items } = await json(`/${id}/statements`)
    t.ok(items.every(({ verdict }: Read) => verdict === 'not' || verdict === 'unchecked'))
    flagged.push(...flaggedIn(one.drafts, items, one.drafts.map(({ text }) => text)))
  }
  for (const { kind, text } of faulty.filter((one) => !flagged.includes(one))) t.comment(`missed: ${kind} ${text}`)
  t.comment(`found ${percent(of(flagged, true), faulty)} %, false alarms ${percent(of(flagged, false), sound)} %`)
  t.ok(percent(of(flagged, true), faulty) >= 70)
  t.ok(percent(of(flagged, false), sound) <= 5)
})

t.test('with a judge that errs, at least 95 % are found, at most 5 % of the true ones doubted, and none of these is cited', async (t) => {
  const flagged: Draft[] = []
  for (const [index, one] of cases.entries()) {
    const brief = await briefOf(one, index)
    script(model, 'Part: outline', {
      title: `Case ${index}`, summary: 'What we know', sections: [{ heading: 'Known', purpose: 'All', fact_ids: [] }]
    })
    script(model, 'Part: one section', { paragraphs: one.drafts.map(({ text, cites }) => ({ markdown: text, fact_ids: cites })) })
    // Some drafts are two sentences; the judge says the same of both.
    const sentences = one.drafts.flatMap((draft) => draft.text.split(/(?<=[.!?][”"]?)\s+(?=\p{Lu})/u).map(() => draft))
    const verdicts = sentences.map((draft, at) => ({ number: at + 1, verdict: doubts(draft) ? 'not' : 'follows' }))
    script(model, 'Part: claims', { statements: verdicts })
    const { contents: [{ id }] } = await run({ brief_id: brief.id, budget: { max_repair_rounds: 0 } })
    const { items } = await json(`/${id}/statements`)
    t.equal(items.length, sentences.length)
    const found = flaggedIn(one.drafts, items, one.drafts.map(({ text }) => text))
    flagged.push(...found)
    const { body_markdown: markdown } = await json(`/${id}`)
    const isCited = ({ text }: Draft) => markdown.includes(`${text}[^`)
    t.same(one.drafts.filter(isCited), one.drafts.filter((draft) => !found.includes(draft)), 'a citation stands where it follows')
  }
  for (const { kind, text } of of(flagged, false)) t.comment(`doubted: ${kind ?? 'true'} ${text}`)
  t.comment(`found ${percent(of(flagged, true), faulty)} %, false alarms ${percent(of(flagged, false), sound)} %`)
  t.ok(percent(of(flagged, true), faulty) >= 95)
  t.ok(percent(of(flagged, false), sound) <= 5)
})
