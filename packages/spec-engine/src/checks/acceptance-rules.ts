import { numbersOf } from '../engine/words.js'
import type { CheckView, Found, Rule } from './view.js'

const unverified = ({ active }: CheckView): Found[] => active
  .filter(({ level, acceptance }) => level === 'MUST' && acceptance.length === 0)
  .map(({ id }) => ({ target: id, message: 'Nothing says how it is shown to be met' }))

const incomplete = ({ active, document }: CheckView): Found[] =>
  [...document.stories, ...active].flatMap(({ acceptance }) => acceptance).flatMap((criterion) => {
    const isWhole = criterion.then.trim() !== '' && (criterion.given === '' || criterion.when.trim() !== '')
    return isWhole ? [] : [{ target: criterion.id, message: 'The criterion does not say what happens' }]
  })

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
  { id: 'PSE201', severity: 'info', fix: 'model', find: unverified },
  { id: 'PSE202', severity: 'warn', fix: 'model', find: incomplete },
  { id: 'PSE204', severity: 'info', fix: 'model', find: untested },
  { id: 'PSE205', severity: 'info', fix: 'human', find: unmeasured }
]
