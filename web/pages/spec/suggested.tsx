import { isRow } from '../../parts/cells'
import { Reading } from './texts'
import { Result } from '../../parts/value'

/** The members of an item that say what it is about, the first that it has. */
const sentences = ['statement', 'question', 'text', 'outcome', 'metric', 'want', 'title'] as const

const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((line) => typeof line === 'string')

/** @returns how a criterion is written in one line */
const lineOf = (criterion: unknown): string[] => isRow(criterion)
  ? [[criterion.given, criterion.when, criterion.then].filter(Boolean).join(' → ')]
  : []

/** What a generation would write in the place of what a person wrote: as text, as far as it is one. */
export const Suggested = ({ value }: { value: unknown }) => {
  if (typeof value === 'string' || isLines(value)) return <Reading of={value} />
  if (!isRow(value)) return <Result value={value} />
  const sentence = sentences.map((name) => value[name]).find((text) => typeof text === 'string' && text !== '')
  if (typeof sentence !== 'string') return <Result value={value} />
  const criteria = Array.isArray(value.acceptance) ? value.acceptance.flatMap(lineOf) : []
  return <><p>{sentence}</p>{criteria.length > 0 && <Reading of={criteria} />}</>
}
