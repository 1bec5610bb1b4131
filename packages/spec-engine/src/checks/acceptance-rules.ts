import type { Requirement } from '../schemas/document.js'
import { numbersOf } from '../engine/words.js'
import type { CheckView, Found, Rule } from './view.js'

/** What came in the layout of another tool, and nobody has changed, is as complete as that layout asks for. */
const isAsGiven = ({ origin, human_edited: edited }: Pick<Requirement, 'origin' | 'human_edited'>): boolean =>
  origin === 'imported' && !edited

const unverified = ({ active }: CheckView): Found[] => active
  .filter((one) => one.level === 'MUST' && one.acceptance.length === 0 && !isAsGiven(one))
  .map(({ id }) => ({ target: id, message: 'Nothing says how it is shown to be met' }))

const incomplete = ({ active, document }: CheckView): Found[] =>
  [...document.stories, ...active].flatMap(({ acceptance }) => acceptance).flatMap((criterion) => {
    const isWhole = criterion.then.trim() !== '' && (criterion.given === '' || criterion.when.trim() !== '')
    return isWhole ? [] : [{ target: criterion.id, message: 'The criterion does not say what happens' }]
  })

const untested = ({ document, active }: CheckView): Found[] => {
  const shown = new Set(active.filter(({ acceptance }) => acceptance.length > 0).flatMap(({ story_ids: ids }) => ids))
  return document.stories
    .filter((one) => one.acceptance.length === 0 && one.independent_test === '' && !shown.has(one.id) && !isAsGiven(one))
    .map(({ id }) => ({ target: id, message: 'The story has neither a criterion nor a test of its own' }))
}

const unmeasured = ({ document: { engine, success_criteria: success } }: CheckView): Found[] => success
  // Files of another tool say it in one sentence.
  .filter(({ target, unit }) => engine.name !== 'import' && (numbersOf(target).length === 0 || unit.trim() === ''))
  .map(({ id }) => ({ target: id, message: 'Success without a number and a unit cannot be seen' }))

export const acceptanceRules: Rule[] = [
  { id: 'PSE201', severity: 'info', fix: 'model', find: unverified },
  { id: 'PSE202', severity: 'warn', fix: 'model', find: incomplete },
  { id: 'PSE204', severity: 'info', fix: 'model', find: untested },
  { id: 'PSE205', severity: 'info', fix: 'human', find: unmeasured }
]
