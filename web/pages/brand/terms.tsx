import type { Schemas } from '../../api/client'
import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import type { Brand } from './index'
import { say, sayEach } from '../../texts/say'

const matches = {
  word: 'brand.match.word', exact: 'brand.match.exact', phrase: 'brand.match.phrase', regex: 'brand.match.regex'
} as const
const severities = {
  error: 'brand.severity.error', warn: 'brand.severity.warn', suggestion: 'brand.severity.suggestion'
} as const
const positions = {
  any: 'brand.position.any', body: 'brand.position.body', title: 'brand.position.title'
} as const

const Banned = ({ of }: { of: Cell<Schemas['BannedTerm'][]> }) => <ListEditor
  label={say('brand.banned')} one={say('brand.banned.one')} of={of}
  blank={(): Schemas['BannedTerm'] => ({ term: '', match: 'word', case_sensitive: false, severity: 'error' })}
>
  {(term) => <>
    <TextField label={say('brand.term')} value={field(term, 'term')} required maxLength={120} />
    <Choice label={say('brand.match')} value={optional(term, 'match', 'word')} options={sayEach(matches)} />
    <TextField label={say('brand.instead')} value={optional(term, 'replacement', '')} maxLength={120} />
    <Choice label={say('brand.weight')} value={optional(term, 'severity', 'error')} options={sayEach(severities)} />
    <TextField label={say('brand.why')} value={optional(term, 'reason', '')} maxLength={500} />
  </>}
</ListEditor>

const Required = ({ of }: { of: Cell<Schemas['RequiredTerm'][]> }) => <ListEditor
  label={say('brand.required')} one={say('brand.required.one')} of={of}
  blank={(): Schemas['RequiredTerm'] => ({ term: '', where: 'any', min: 1 })}
>
  {(term) => <>
    <TextField label={say('brand.term')} value={field(term, 'term')} required maxLength={120} />
    <Choice label={say('brand.where')} value={optional(term, 'where', 'any')} options={sayEach(positions)} />
    <NumberField label={say('brand.atLeast')} value={optional(term, 'min', 1)} min={1} max={20} />
  </>}
</ListEditor>

const Preferred = ({ of }: { of: Cell<Schemas['PreferredTerm'][]> }) => <ListEditor
  label={say('brand.preferred')} one={say('brand.preferred.one')} of={of}
  blank={() => ({ use: '', instead_of: [] })}
>
  {(term) => <>
    <TextField label={say('brand.use')} value={field(term, 'use')} required maxLength={120} />
    <TextField label={say('brand.insteadOf')} value={asWords(field(term, 'instead_of'))} required />
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
        label={say('brand.protected')} rows={3}
        value={asLines(optional(terms, 'protected', []))}
      />
    </>
  )
}
