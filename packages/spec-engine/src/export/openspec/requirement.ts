import type { Criterion, Requirement } from '../../schemas/document.js'
import { inline, join } from '../text.js'

/**
 * OpenSpec identifies a requirement by its heading; a "#" that closes the heading is not part of the name.
 * @param hasId whether the headings of the main spec begin with ids
 */
export const nameOf = ({ id, title }: Pick<Requirement, 'id' | 'title'>, hasId: boolean): string =>
  `${hasId ? `${id} ` : ''}${inline(title)}`.replace(/(?<![ \t#])(#*)[ \t][ \t#]*$/, '$1').trim()

/**
 * OpenSpec requires SHALL or MUST in capitals, which a verbatim sentence may lack. Its validator notes a text of more
 * than 500 characters and accepts it, so that nothing is cut.
 */
const bodyOf = ({ statement }: Requirement): string => {
  const text = inline(statement)
  return /\b(SHALL|MUST)\b/.test(text) ? text : `The following SHALL hold: ${text}`
}

type Scenario = Omit<Criterion, 'name'> & { name?: string }

/** What a source calls the scenario stays its name: a delta that fits names the scenario that is there. */
const titleOf = ({ id, name }: Scenario): string => inline(name ?? (id || 'It holds'))

/**
 * Without a criterion the scenario repeats the statement. It has the name of the first criterion: OpenSpec forbids
 * removing a scenario, and a real first criterion replaces this one.
 */
const scenariosOf = (item: Requirement): Scenario[] => item.acceptance.length > 0
  ? item.acceptance
  : [{
      id: `${item.id}.AC1`,
      given: '',
      when: `the requirement is verified by ${item.verification}`,
      then: item.statement
    }]

export const scenario = (one: Scenario): string => join([
  `#### Scenario: ${titleOf(one)}`,
  [one.given && `- **GIVEN** ${inline(one.given)}`, one.when && `- **WHEN** ${inline(one.when)}`, `- **THEN** ${inline(one.then)}`]
    .filter(Boolean).join('\n')
]).trimEnd()

/** @returns the text below a requirement's heading */
export const textOf = (item: Requirement): string =>
  join([bodyOf(item), ...scenariosOf(item).map(scenario)]).trimEnd()

/** @returns whether `after` lacks a scenario of `before`, which OpenSpec forbids in a modified requirement */
export const losesScenario = (before: Requirement, after: Requirement): boolean => {
  const names = new Set(scenariosOf(after).map(titleOf))
  return scenariosOf(before).some((one) => !names.has(titleOf(one)))
}
