import type { Schemas } from '../../api/client'
import { asWords, field, optional, type Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { say, sayEach } from '../../texts/say'

type Fact = Schemas['BriefFact']
type Point = Schemas['BriefPoint']

const kinds = {
  url: 'brief.kind.url',
  spec: 'brief.kind.spec',
  file: 'brief.kind.file',
  text: 'content.text',
  person: 'brief.kind.person'
} as const

const nextId = (facts: Fact[]): string => {
  const taken = new Set(facts.map(({ id }) => id))
  let number = facts.length + 1
  while (taken.has(`f${number}`)) number++
  return `f${number}`
}

/** The facts that content may claim, each with its source. */
export const BriefFacts = ({ of }: { of: Cell<Fact[]> }) => <ListEditor
  label={say('brief.facts')} one={say('brief.fact.one')} of={of}
  blank={(): Fact => ({ id: nextId(of.value), text: '', source: { kind: 'url', ref: '' } })}
>
  {(fact) => {
    const source = field(fact, 'source')
    return (
      <>
        <TextField
          label={say('brief.fact.id')} value={field(fact, 'id')} required pattern='[A-Za-z0-9][A-Za-z0-9_\-]*'
          maxLength={40}
        />
        <Choice label={say('brief.fact.source')} value={field(source, 'kind')} options={sayEach(kinds)} />
        <TextField label={say('brief.fact.where')} value={field(source, 'ref')} required maxLength={2000} />
        <div class='whole-row'>
          <TextField label={say('brief.fact')} value={field(fact, 'text')} required maxLength={500} />
        </div>
        <div class='whole-row'>
          <TextField label={say('brief.fact.quote')} value={optional(source, 'quote', '')} maxLength={2000} />
        </div>
      </>
    )
  }}
</ListEditor>

/** The points to make, each with its facts. */
export const BriefPoints = ({ of }: { of: Cell<Point[]> }) => <ListEditor
  label={say('brief.points')} one={say('brief.point.one')} of={of}
  blank={(): Point => ({ text: '', fact_ids: [] })}
>
  {(point) => <>
    <TextField label={say('brief.point')} value={field(point, 'text')} required maxLength={500} />
    <TextField
      label={say('brief.point.facts')} placeholder='f1, f2' value={asWords(optional(point, 'fact_ids', []))}
    />
  </>}
</ListEditor>
