import type { ComponentChildren } from 'preact'
import { asLines, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import type { Check, CheckName, Options } from './rule'
import { Tick, Ticks } from './ticks'
import { say, sayEach, type Key } from '../../texts/say'

const shapes = {
  ubiquitous: 'standard.ears.always',
  event: 'standard.ears.event',
  state: 'standard.ears.state',
  optional: 'standard.ears.feature',
  unwanted: 'standard.ears.unwanted',
  complex: 'standard.ears.complex'
} as const
const methods = {
  test: 'standard.method.test',
  demonstration: 'standard.method.demonstration',
  inspection: 'standard.method.inspection',
  analysis: 'standard.method.analysis'
} as const
const units = {
  characters: 'standard.unit.characters', words: 'standard.unit.words', items: 'standard.unit.items'
} as const
const links = {
  story_ids: 'standard.link.stories',
  depends_on: 'standard.link.requirements',
  standards: 'standard.link.standards',
  assumption_ids: 'standard.link.assumptions',
  tasks: 'standard.link.tasks'
} as const

interface Limits { min?: number, max?: number }

/** A limit as the text of its field; emptied, there is none. */
const asText = <K extends keyof Limits>(of: Cell<Limits>, key: K): Cell<string> => ({
  get value () { return String(of.value[key] ?? '') },
  set value (next) {
    const { [key]: _, ...rest } = of.value
    of.value = next === '' ? rest : { ...rest, [key]: Number(next) }
  }
})

const Limit = ({ name, of }: { name: Key, of: Cell<string> }) =>
  <TextField label={say(name)} type='number' value={of} min={0} max={100_000} />

const Between = ({ of }: { of: Cell<Limits> }) => <>
  <Limit name='standard.rule.least' of={asText(of, 'min')} />
  <Limit name='standard.rule.most' of={asText(of, 'max')} />
</>

const Lines = ({ name, of }: { name: Key, of: Cell<string[]> }) => <div class='whole-row'>
  <AreaField label={say(name)} class='mono' value={asLines(of)} rows={3} required spellcheck={false} />
</div>

/** Upper and lower case are the same unless the rule says otherwise. */
const AnyCase = ({ of }: { of: Cell<{ ignore_case?: boolean }> }) =>
  <div class='whole-row'><Tick label={say('standard.rule.anyCase')} of={optional(of, 'ignore_case', true)} /></div>

const patterns = (of: Cell<Options<'pattern'>>) => <>
  <Lines name='standard.rule.patterns' of={field(of, 'patterns')} />
  <AnyCase of={of} />
</>

const none = () => null

const AtLeast = ({ of, max }: { of: Cell<{ min: number }>, max: number }) =>
  <NumberField label={say('standard.rule.least')} value={field(of, 'min')} min={1} max={max} />

const Swap = ({ of }: { of: Cell<Options<'substitute'>> }) => <div class='whole-row'>
  <ListEditor
    label={say('standard.rule.swap')} one={say('standard.rule.word')} of={field(of, 'swap')}
    blank={() => ({ from: '', to: '' })}
  >
    {(pair, index) => <>
      <TextField
        label={say('spec.nth', { name: say('standard.rule.from'), number: String(index + 1) })}
        value={field(pair, 'from')} required maxLength={120}
      />
      <TextField
        label={say('spec.nth', { name: say('standard.rule.to'), number: String(index + 1) })}
        value={field(pair, 'to')} required maxLength={120}
      />
    </>}
  </ListEditor>
</div>

const fieldsOf: { [F in CheckName]: (of: Cell<Options<F>>) => ComponentChildren } = {
  required: none,
  pattern: patterns,
  forbid: patterns,
  substitute: (of) => <Swap of={of} />,
  occurrence: (of) => <>
    <TextField
      label={say('standard.rule.pattern')} class='mono' value={field(of, 'pattern')} required maxLength={200}
    />
    <Between of={of} /><AnyCase of={of} />
  </>,
  length: (of) => <>
    <Between of={of} />
    <Choice label={say('standard.rule.unit')} value={field(of, 'unit')} options={sayEach(units)} />
  </>,
  enum: (of) => <>
    <TextField label={say('standard.rule.field')} class='mono' value={field(of, 'field')} required maxLength={60} />
    <Lines name='standard.rule.values' of={field(of, 'values')} />
  </>,
  schema: (of) => <Lines name='standard.rule.fields' of={field(of, 'required')} />,
  ears: (of) => <Ticks label={say('standard.rule.shapes')} names={sayEach(shapes)} of={optional(of, 'patterns', [])} />,
  has_acceptance: (of) => <AtLeast of={of} max={8} />,
  has_citation: (of) => <AtLeast of={of} max={20} />,
  has_verification: (of) =>
    <Ticks label={say('standard.rule.methods')} names={sayEach(methods)} of={field(of, 'methods')} />,
  readability: (of) => <NumberField
    label={say('standard.rule.grade')} value={field(of, 'max_grade')} min={1} max={30} step='any'
  />,
  glossary_only: none,
  links_to: (of) => <Choice label={say('standard.rule.link')} value={field(of, 'field')} options={sayEach(links)} />,
  review: (of) => <div class='whole-row'><AreaField
    label={say('standard.rule.question')} value={field(of, 'question')} rows={2} required minLength={10}
    maxLength={500}
  />
  </div>
}

/** What a rule's check asks for beside its name. */
export const RuleOptions = ({ of }: { of: Cell<Check> }) => {
  const options: Cell<Check['options']> = {
    get value () { return of.value.options ?? {} },
    // The fields below are those of this check.
    set value (next) { of.value = { ...of.value, options: next } as Check }
  }
  // The fields and the options belong to one check, which the compiler cannot infer from the look-up.
  const draw = fieldsOf[of.value.fn] as (of: Cell<Check['options']>) => ComponentChildren
  return <>{draw(options)}</>
}
