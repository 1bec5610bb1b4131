import t from '../../../../test/tap.js'
import { keyOf } from '../../src/text/word-key.js'
import { Grounds } from '../../src/claims/judge-statement.js'
import { cases, type Draft } from './drafts.js'

const all = cases.flatMap(({ facts, drafts }) => drafts.map((draft) => ({ facts, draft })))

const judge = (facts: Record<string, string>, { text, cites }: Draft) => {
  const known = ` ${keyOf(Object.values(facts).join(' '))} `
  return new Grounds(cites.map((id) => facts[id] ?? ''), known, 'en').judge(text)
}

const faulty = all.filter(({ draft }) => draft.kind !== undefined)
const sound = all.filter(({ draft }) => draft.kind === undefined)
const missed = faulty.filter(({ facts, draft }) => judge(facts, draft).length === 0)
const alarms = sound.filter(({ facts, draft }) => judge(facts, draft).length > 0)
/** A scripted judge that overlooks every tenth fault, and doubts one true draft in thirty. */
const doubts = (one: { draft: Draft }): boolean => {
  const at = faulty.findIndex(({ draft }) => draft === one.draft)
  return at >= 0 ? at % 10 !== 3 : sound.findIndex(({ draft }) => draft === one.draft) % 30 === 11
}

const percent = (part: unknown[], whole: unknown[]) => Math.round(part.length / whole.length * 1000) / 10

t.test('by code alone nine of ten planted faults are found, and one true draft in twenty is doubted', async (t) => {
  t.same([faulty.length, sound.length], [60, 60])
  for (const { draft } of missed) t.comment(`missed: ${draft.kind} ${draft.text}`)
  for (const { facts, draft } of alarms) {
    t.comment(`alarm: ${draft.text} ${judge(facts, draft).map(({ kind }) => kind).join(' ')}`)
  }
  t.comment(`found ${100 - percent(missed, faulty)} %, false alarms ${percent(alarms, sound)} %`)
  t.ok(missed.length <= 6, `${missed.length} missed`)
  t.ok(alarms.length <= 3, `${alarms.length} alarms`)
})

t.test('with a judge that errs, at least 95 % of the planted faults are found, at most 5 % of the true drafts doubted', async (t) => {
  const overlooked = missed.filter((one) => !doubts(one))
  const doubted = sound.filter((one) => doubts(one) || alarms.includes(one))
  t.comment(`found ${100 - percent(overlooked, faulty)} %, false alarms ${percent(doubted, sound)} %`)
  t.ok(percent(overlooked, faulty) <= 5)
  t.ok(percent(doubted, sound) <= 5)
})
