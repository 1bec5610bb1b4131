import type { Criterion, Requirement } from '../../../../../schemas/pse/document.js'
import { inline, join } from '../text.js'

/** What OpenSpec's validator takes as one requirement. */
const maxStatement = 500

/** OpenSpec knows a requirement by its heading; "#" at the end of one closes it, and is no part of the name. */
export const nameOf = ({ id, title }: Pick<Requirement, 'id' | 'title'>): string =>
  `${id} ${inline(title)}`.replace(/(?<![ \t#])(#*)[ \t][ \t#]*$/, '$1').trim()

/** The body says SHALL or MUST in capitals; a sentence that is kept word for word may not. */
const bodyOf = ({ statement }: Requirement): string => {
  const text = inline(statement)
  const body = /\b(SHALL|MUST)\b/.test(text) ? text : `The following SHALL hold: ${text}`
  return body.length > maxStatement ? `${body.slice(0, maxStatement - 1).toWellFormed()}…` : body
}

type Scenario = Pick<Criterion, 'id' | 'given' | 'when' | 'then'>

/**
 * Where nobody wrote a criterion, the scenario says that the statement is what is looked at, and adds nothing. It has
 * the first one's name: OpenSpec lets no scenario of a requirement go, and this one gives way to the real one.
 */
const scenariosOf = (item: Requirement): Scenario[] => item.acceptance.length > 0
  ? item.acceptance
  : [{
      id: `${item.id}.AC1`,
      given: '',
      when: `the requirement is verified by ${item.verification}`,
      then: item.statement
    }]

const scenario = ({ id, given, when, then }: Scenario): string => join([
  `#### Scenario: ${inline(id)}`,
  [given && `- **GIVEN** ${inline(given)}`, `- **WHEN** ${inline(when)}`, `- **THEN** ${inline(then)}`]
    .filter(Boolean).join('\n')
]).trimEnd()

/** @returns what stands under a requirement's heading */
export const textOf = (item: Requirement): string =>
  join([bodyOf(item), ...scenariosOf(item).map(scenario)]).trimEnd()

/** Whether `after` lacks a scenario of `before`: OpenSpec refuses such a change of a requirement. */
export const losesScenario = (before: Requirement, after: Requirement): boolean => {
  const names = new Set(scenariosOf(after).map(({ id }) => id))
  return scenariosOf(before).some(({ id }) => !names.has(id))
}
