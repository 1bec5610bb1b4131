import type { Requirement } from '../schemas/document.js'
import { measuresOf, type Measure } from '../checks/measures.js'
import type { Unit } from '../engine/triage.js'
import { demandsIn, keywordsOf, levelIn } from '../engine/words-that-demand.js'

const negation = /(?<![\p{L}])(?:not|no|never|none|neither|nor|without|cannot|\p{L}+n['’]t|prohibited|forbidden|nicht|kein\p{L}*|nie|niemals|ohne|verboten|untersagt|ne|pas|jamais|sans|aucune?|interdite?s?|nunca|sin|ning[uú]n\p{L}*|prohibid[oa]s?)(?!\p{L})/iu
export const negates = (text: string): boolean => negation.test(text)

const nameOf = ({ number, unit, said }: Measure): string => said ?? (unit ? `${number} ${unit}` : number)

const isIn = ({ number, unit }: Measure, list: readonly Measure[]): boolean => {
  const same = list.filter((one) => one.number === number)
  return same.some((one) => unit === undefined || one.unit === undefined || one.unit === unit)
}

const hasDemand = ({ text, language }: Pick<Unit, 'text' | 'language'>): boolean =>
  demandsIn(text, language).length > 0 || keywordsOf(text).length > 0
const rank = { MUST: 2, SHOULD: 1, MAY: 0 }

type Stated = Pick<Requirement, 'statement' | 'level'> & { acceptance: readonly { given: string, when: string, then: string }[] }

/** @returns what code can see of a statement that its sentences do not say, or of the sentences that it does not say */
export const problemsOf = ({ statement, level, acceptance }: Stated, units: readonly Unit[]): string[] => {
  const texts = units.map(({ text }) => text)
  const [own, theirs] = [measuresOf(statement), texts.flatMap(measuresOf)]
  const whole = [...own, ...acceptance.flatMap(({ given, when, then }) => measuresOf(`${given}. ${when}. ${then}`))]
  const demanding = units.filter(hasDemand)
  const highest = demanding.map((unit) => levelIn(unit.text, unit.language))
    .reduce<Requirement['level'] | undefined>((top, one) => top && rank[top] >= rank[one] ? top : one, undefined)
  return [
    ...new Set([
      ...whole.filter((one) => !isIn(one, theirs)).map((one) => `Its sentences do not say ${nameOf(one)}`),
      ...theirs.filter((one) => one.unit !== undefined && !isIn(one, whole)).map((one) => `It leaves out ${nameOf(one)}`),
      ...negates(statement) && !texts.some(negates) ? ['It negates what its sentences do not'] : [],
      ...!negates(statement) && demanding.length > 0 && demanding.every(({ text }) => negates(text))
        ? ['It does not negate what its sentences do']
        : [],
      ...highest !== undefined && highest !== level ? [`It says ${level}, and its sentences ${highest}`] : []
    ])
  ]
}

/** @returns what two requirements must have in common to be one: numbers with units, negation and how binding they are */
export const matterOf = ({ statement, level }: Pick<Requirement, 'statement' | 'level'>): string =>
  [level, negates(statement), ...measuresOf(statement).map(({ number, unit }) => `${number} ${unit ?? ''}`).sort()].join('|')
