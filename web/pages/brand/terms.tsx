import type { Schemas } from '../../api/client'
import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import type { Brand } from './index'

const matches = {
  word: 'Whole words', exact: 'Exactly as written', phrase: 'Phrase, anywhere', regex: 'Regular expression'
} as const
const severities = { error: 'Error', warn: 'Warning', suggestion: 'Suggestion' } as const
const positions = { any: 'Anywhere', body: 'In the text', title: 'In the title' } as const

const Banned = ({ of }: { of: Cell<Schemas['BannedTerm'][]> }) => <ListEditor
  label='Never write' one='banned term' of={of}
  blank={(): Schemas['BannedTerm'] => ({ term: '', match: 'word', case_sensitive: false, severity: 'error' })}
>
  {(term) => <>
    <TextField label='Term' value={field(term, 'term')} required maxLength={120} />
    <Choice label='Found as' value={optional(term, 'match', 'word')} options={matches} />
    <TextField label='Instead' value={optional(term, 'replacement', '')} maxLength={120} />
    <Choice label='Weight' value={optional(term, 'severity', 'error')} options={severities} />
    <TextField label='Why' value={optional(term, 'reason', '')} maxLength={500} />
  </>}
</ListEditor>

const Required = ({ of }: { of: Cell<Schemas['RequiredTerm'][]> }) => <ListEditor
  label='Always write' one='required term' of={of}
  blank={(): Schemas['RequiredTerm'] => ({ term: '', where: 'any', min: 1 })}
>
  {(term) => <>
    <TextField label='Term' value={field(term, 'term')} required maxLength={120} />
    <Choice label='Where' value={optional(term, 'where', 'any')} options={positions} />
    <NumberField label='At least' value={optional(term, 'min', 1)} min={1} max={20} />
  </>}
</ListEditor>

const Preferred = ({ of }: { of: Cell<Schemas['PreferredTerm'][]> }) => <ListEditor
  label='Rather write' one='preferred term' of={of} blank={() => ({ use: '', instead_of: [] })}
>
  {(term) => <>
    <TextField label='Write' value={field(term, 'use')} required maxLength={120} />
    <TextField label='Instead of, separated by commas' value={asWords(field(term, 'instead_of'))} required />
  </>}
</ListEditor>

/** Banned, required, preferred and protected terms. */
export const Terms = ({ brand }: { brand: Cell<Brand> }) => {
  const terms = field(brand, 'terms')
  return (
    <>
      <Banned of={optional(terms, 'banned', [])} />
      <Required of={optional(terms, 'required', [])} />
      <Preferred of={optional(terms, 'preferred', [])} />
      <AreaField
        label='Protected words, never flagged, one per line' rows={3}
        value={asLines(optional(terms, 'protected', []))}
      />
    </>
  )
}
