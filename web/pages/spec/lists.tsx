import { asLines, asWords, field, type Cell } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { partOf, type ListKind, type ListName, type ListPart } from './list-part'
import { PartHead } from './part-head'
import { isShown, targetOf } from './section-part'
import type { Written } from './index'
import { say, sayEach, type Key } from '../../texts/say'
import { translate } from '../../texts/translate'

/** The label of a field, with the number of its entry: no two fields of a list have the same. */
const nth = (key: Key, index: number): string => say('spec.nth', { name: say(key), number: String(index + 1) })

type Kind<K extends ListName> = () => ListKind<K>

interface Described { name: string, description: string }

const Named = ({ of, index }: { of: Cell<Described>, index: number }) => <>
  <TextField label={nth('spec.list.name', index)} value={field(of, 'name')} required maxLength={120} />
  <TextField label={nth('spec.list.description', index)} value={field(of, 'description')} maxLength={500} />
</>

const showDescribed = ({ name, description }: Described) => <><strong>{name}</strong> {description}</>

const actors: Kind<'actors'> = () => ({
  name: 'actors',
  label: say('spec.list.actors'),
  one: say('spec.list.actor'),
  blank: () => ({ name: '', description: '' }),
  show: showDescribed,
  fields: (of, index) => <Named of={of} index={index} />
})

const glossary: Kind<'glossary'> = () => ({
  name: 'glossary',
  label: say('spec.list.glossary'),
  one: say('spec.list.term'),
  blank: () => ({ term: '', definition: '', aliases: [] }),
  show: ({ term, definition, aliases }) => <><strong>{term}</strong> {definition}{' '}
    {aliases.length > 0 && <span class='muted'>({aliases.join(', ')})</span>}
  </>,
  fields: (of, index) => <>
    <TextField label={nth('spec.list.term.label', index)} value={field(of, 'term')} required maxLength={120} />
    <TextField label={nth('spec.list.definition', index)} value={field(of, 'definition')} required maxLength={500} />
    <TextField label={nth('spec.list.aliases', index)} value={asWords(field(of, 'aliases'))} />
  </>
})

const entities: Kind<'entities'> = () => ({
  name: 'entities',
  label: say('spec.list.entities'),
  one: say('spec.list.entity'),
  blank: () => ({ name: '', description: '', fields: [], citations: [] }),
  show: ({ fields, ...entity }) => <>{showDescribed(entity)}{' '}
    {fields.length > 0 && <span class='muted'>({fields.map(({ name }) => name).join(', ')})</span>}
  </>,
  fields: (of, index) => <><Named of={of} index={index} />
    <ListEditor
      label={nth('spec.list.fields', index)} one={say('spec.list.field')} of={field(of, 'fields')}
      blank={() => ({ name: '', type: '', description: '' })}
    >
      {(one, at) => <>
        <TextField label={nth('spec.list.field.label', at)} value={field(one, 'name')} required maxLength={120} />
        <TextField label={nth('spec.list.type', at)} value={field(one, 'type')} maxLength={120} />
        <TextField label={nth('spec.list.meaning', at)} value={field(one, 'description')} maxLength={500} />
      </>}
    </ListEditor>
  </>
})

const interfaces: Kind<'interfaces'> = () => ({
  name: 'interfaces',
  label: say('spec.list.interfaces'),
  one: say('spec.list.interface'),
  blank: () => ({ name: '', description: '', citations: [] }),
  show: showDescribed,
  fields: (of, index) => <Named of={of} index={index} />
})

const successCriteria: Kind<'success_criteria'> = () => ({
  name: 'success_criteria',
  label: say('spec.list.success'),
  one: say('spec.list.measure'),
  blank: () => ({ id: '', metric: '', target: '', unit: '', citations: [] }),
  show: ({ id, metric, target, unit }) => <><code>{id}</code> {metric} <strong>{target} {unit}</strong></>,
  fields: (of, index) => <>
    <TextField label={nth('spec.list.metric', index)} value={field(of, 'metric')} required maxLength={300} />
    <TextField label={nth('spec.list.target', index)} value={field(of, 'target')} maxLength={300} />
    <TextField label={nth('spec.list.unit', index)} value={field(of, 'unit')} maxLength={60} />
  </>
})

const impacts = { low: 'spec.impact.low', medium: 'spec.impact.medium', high: 'spec.impact.high' } as const

const assumptions: Kind<'assumptions'> = () => ({
  name: 'assumptions',
  label: say('spec.list.assumptions'),
  one: say('spec.list.assumption'),
  blank: () => ({ id: '', text: '', why: '', impact: 'medium', confirmed_by_input: null }),
  show: ({ id, text, why }) => <><code>{id}</code> {text} <span class='muted'>{translate('reasons', why)}</span></>,
  fields: (of, index) => <>
    <TextField label={nth('spec.list.assumed', index)} value={field(of, 'text')} required maxLength={1000} />
    <TextField label={nth('spec.list.why', index)} value={field(of, 'why')} maxLength={500} />
    <Choice label={nth('spec.list.impact', index)} value={field(of, 'impact')} options={sayEach(impacts)} />
  </>
})

const standings = {
  proposed: 'spec.standing.proposed', accepted: 'spec.standing.accepted', superseded: 'spec.standing.superseded'
} as const

const decisions: Kind<'decisions'> = () => ({
  name: 'decisions',
  label: say('spec.list.decisions'),
  one: say('spec.list.decision'),
  blank: () => ({
    id: '', title: '', status: 'proposed', drivers: [], options: [], outcome: '', consequences: [], input_id: null
  }),
  show: ({ id, title, status, outcome }) => <><code>{id}</code> <strong>{title}</strong>{' '}
    <span class='muted'>{say(standings[status])}</span> {outcome !== title && outcome}
  </>,
  fields: (of, index) => <>
    <TextField label={nth('specs.title', index)} value={field(of, 'title')} required maxLength={200} />
    <Choice label={nth('spec.list.standing', index)} value={field(of, 'status')} options={sayEach(standings)} />
    <AreaField label={nth('spec.list.outcome', index)} value={field(of, 'outcome')} rows={2} maxLength={1000} />
    <AreaField label={nth('spec.list.drivers', index)} value={asLines(field(of, 'drivers'))} rows={2} />
    <AreaField label={nth('spec.list.options', index)} value={asLines(field(of, 'options'))} rows={2} />
    <AreaField label={nth('spec.list.consequences', index)} value={asLines(field(of, 'consequences'))} rows={2} />
  </>
})

export const listParts = (): ListPart[] => [
  partOf(actors()), partOf(glossary()), partOf(decisions()), partOf(assumptions()), partOf(successCriteria()),
  partOf(entities()), partOf(interfaces())
]

/** What a spec says after its requirements; a person can write each list. */
export const Lists = (written: Written) => {
  const { version: { document }, edit } = written
  const shown = listParts().filter((part) => isShown(document, part))
  return shown.length === 0
    ? null
    : <section class='card stack' aria-label={say('spec.lists')}>
      <h2>{say('spec.lists')}</h2>
      {shown.map((part) => <div key={part.name}>
        <PartHead {...written} name={part.name} label={part.label} onEdit={() => edit(targetOf(part))} />
        {part.show(document)}
      </div>)}
    </section>
}
