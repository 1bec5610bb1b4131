import type { Schemas } from '../../api/client'
import { field, type Cell } from '../../parts/cell'
import { TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { say } from '../../texts/say'

/** A criterion as a person writes it; the server names it after its item. */
export type WrittenCriterion = Omit<Schemas['Criterion'], 'id'>

export const withoutIds = (of: readonly Schemas['Criterion'][]): WrittenCriterion[] =>
  of.map(({ given, when, then }) => ({ given, when, then }))

export const CriteriaList = ({ of }: { of: readonly WrittenCriterion[] }) => of.length === 0
  ? null
  : <ul>{of.map(({ given, when, then }) => <li key={given + when + then}>
    {say('spec.criteria.sentence', { given, when, then })}
  </li>)}
  </ul>

/** How one can see that it holds. */
export const CriteriaEditor = ({ of }: { of: Cell<WrittenCriterion[]> }) => <ListEditor
  label={say('spec.criteria')} one={say('spec.criterion')} of={of} blank={() => ({ given: '', when: '', then: '' })}
>
  {(one, index) => <>
    <TextField
      label={say('spec.given', { number: String(index + 1) })} value={field(one, 'given')} required maxLength={500}
    />
    <TextField
      label={say('spec.when', { number: String(index + 1) })} value={field(one, 'when')} required maxLength={500}
    />
    <TextField
      label={say('spec.then', { number: String(index + 1) })} value={field(one, 'then')} required maxLength={500}
    />
  </>}
</ListEditor>
