import { numbersOf } from '../engine/words.js'
import type { CheckView, Found, Rule } from './view.js'

const failing = /\b(?:fail\w*|errors?|invalid|unavailable|time[- ]?outs?|reject\w*|refuse\w*|not|cannot|no longer|lost|unreachable|denied|wrong)\b/i

const unverified = ({ active }: CheckView): Found[] => active
  .filter(({ level, acceptance }) => level === 'MUST' && acceptance.length === 0)
  .map(({ id }) => ({ target: id, message: 'Nothing says how it is shown to be met' }))

const incomplete = ({ active, document }: CheckView): Found[] =>
  [...document.stories, ...active].flatMap(({ acceptance }) => acceptance).flatMap((criterion) => {
    const absent = (['given', 'when', 'then'] as const).filter((part) => criterion[part].trim() === '')
    return absent.length === 0 ? [] : [{ target: criterion.id, message: `The criterion lacks ${absent.join(', ')}` }]
  })

/** A failure is covered by a criterion, a requirement of the same story, an edge case, or a dependent requirement. */
const withoutFailure = ({ active, isEnglish, document }: CheckView): Found[] => {
  if (!isEnglish) return []
  const unwanted = active.filter(({ pattern, statement }) => pattern === 'unwanted' || /\bIF\b/.test(statement))
  const stories = new Set(unwanted.flatMap(({ story_ids: ids }) => ids))
  const named = new Set(unwanted.flatMap(({ depends_on: ids }) => ids))
  const inEdgeCases = new Set(document.edge_cases.flatMap((text) => text.match(/\b[A-Z]{2}-\d+\b/g) ?? []))
  return active.filter(({ id, pattern, acceptance, story_ids: ids }) => pattern === 'event' &&
    !named.has(id) && !inEdgeCases.has(id) && !ids.some((story) => stories.has(story)) &&
    !acceptance.some(({ given, when, then }) => failing.test(`${given} ${when} ${then}`)))
    .map(({ id }) => ({ target: id, message: 'Nothing says what happens when this fails' }))
}

const untested = ({ document, active }: CheckView): Found[] => {
  const shown = new Set(active.filter(({ acceptance }) => acceptance.length > 0).flatMap(({ story_ids: ids }) => ids))
  return document.stories
    .filter(({ id, acceptance, independent_test: test }) => acceptance.length === 0 && test === '' && !shown.has(id))
    .map(({ id }) => ({ target: id, message: 'The story has neither a criterion nor a test of its own' }))
}

const unmeasured = ({ document }: CheckView): Found[] => document.success_criteria
  .filter(({ target, unit }) => numbersOf(target).length === 0 || unit.trim() === '')
  .map(({ id }) => ({ target: id, message: 'Success without a number and a unit cannot be seen' }))

export const acceptanceRules: Rule[] = [
  { id: 'PSE201', severity: 'error', fix: 'model', find: unverified },
  { id: 'PSE202', severity: 'warn', fix: 'model', find: incomplete },
  { id: 'PSE203', severity: 'warn', fix: 'model', find: withoutFailure },
  { id: 'PSE204', severity: 'warn', fix: 'model', find: untested },
  { id: 'PSE205', severity: 'warn', fix: 'human', find: unmeasured }
]
