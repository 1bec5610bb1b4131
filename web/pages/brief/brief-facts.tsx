import type { Schemas } from '../../api/client'
import { asWords, field, optional, type Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'

type Fact = Schemas['BriefFact']
type Point = Schemas['BriefPoint']

const kinds = { url: 'Web page', spec: 'Spec', file: 'File', text: 'Text', person: 'Person' } as const

const nextId = (facts: Fact[]): string => {
  const taken = new Set(facts.map(({ id }) => id))
  let number = facts.length + 1
  while (taken.has(`f${number}`)) number++
  return `f${number}`
}

/** The facts that content may claim, each with its source. */
export const BriefFacts = ({ of }: { of: Cell<Fact[]> }) => <ListEditor
  label='Facts and their sources' one='fact' of={of}
  blank={(): Fact => ({ id: nextId(of.value), text: '', source: { kind: 'url', ref: '' } })}
>
  {(fact) => {
    const source = field(fact, 'source')
    return (
      <>
        <TextField label='Id' value={field(fact, 'id')} required pattern='[A-Za-z0-9][A-Za-z0-9_\-]*' maxLength={40} />
        <TextField label='Fact' value={field(fact, 'text')} required maxLength={500} />
        <Choice label='Source' value={field(source, 'kind')} options={kinds} />
        <TextField label='Where' value={field(source, 'ref')} required maxLength={2000} />
        <TextField label='Word for word' value={optional(source, 'quote', '')} maxLength={2000} />
      </>
    )
  }}
</ListEditor>

/** The points to make, each with its facts. */
export const BriefPoints = ({ of }: { of: Cell<Point[]> }) => <ListEditor
  label='Points' one='point' of={of} blank={(): Point => ({ text: '', fact_ids: [] })}
>
  {(point) => <>
    <TextField label='Point' value={field(point, 'text')} required maxLength={500} />
    <TextField label='Rests on facts' placeholder='f1, f2' value={asWords(optional(point, 'fact_ids', []))} />
  </>}
</ListEditor>
