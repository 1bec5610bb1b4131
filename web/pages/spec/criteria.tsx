import type { Schemas } from '../../api/client'
import { field, type Cell } from '../../parts/cell'
import { TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { say } from '../../texts/say'

/** A criterion as a person writes it; the server names it after its item. */
export type WrittenCriterion = Omit<Schemas['Criterion'], 'id'>

export const withoutIds = (of: readonly Schemas['Criterion'][]): WrittenCriterion[] =>
  of.map(({ id: _, ...criterion }) => criterion)

/** @returns a scenario as a sentence; what is none stands as it is */
export const sentenceOf = ({ name, given, when, then }: WrittenCriterion): string => {
  const text = given === '' && when === '' ? then : say('spec.criteria.sentence', { given, when, then })
  return name === undefined ? text : `${name}: ${text}`
}

export const CriteriaList = ({ of }: { of: readonly WrittenCriterion[] }) => of.length === 0
  ? null
  : <ul>{of.map((one) => <li key={one.given + one.when + one.then}>{sentenceOf(one)}</li>)}</ul>

/** How one can see that it holds. */
export const CriteriaEditor = ({ of }: { of: Cell<WrittenCriterion[]> }) => <ListEditor
  label={say('spec.criteria')} one={say('spec.criterion')} of={of} blank={() => ({ given: '', when: '', then: '' })}
>
  {(one, index) => <>
    <TextField
      label={say('spec.given', { number: String(index + 1) })} value={field(one, 'given')} maxLength={2000}
    />
    <TextField
      label={say('spec.when', { number: String(index + 1) })} value={field(one, 'when')} maxLength={2000}
    />
    <TextField
      label={say('spec.then', { number: String(index + 1) })} value={field(one, 'then')} required maxLength={2000}
    />
  </>}
</ListEditor>
