import type { Schemas } from '../../api/client'
import { field, type Cell } from '../../parts/cell'
import { TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'

/** A criterion as a person writes it; the server names it after its item. */
export type Written = Omit<Schemas['Criterion'], 'id'>

export const withoutIds = (of: readonly Schemas['Criterion'][]): Written[] =>
  of.map(({ given, when, then }) => ({ given, when, then }))

/** How one can see that it holds. */
export const CriteriaEditor = ({ of }: { of: Cell<Written[]> }) => <ListEditor
  label='Acceptance criteria' one='criterion' of={of} blank={() => ({ given: '', when: '', then: '' })}
>
  {(one, index) => <>
    <TextField label={`Given (${index + 1})`} value={field(one, 'given')} required maxLength={500} />
    <TextField label={`When (${index + 1})`} value={field(one, 'when')} required maxLength={500} />
    <TextField label={`Then (${index + 1})`} value={field(one, 'then')} required maxLength={500} />
  </>}
</ListEditor>
