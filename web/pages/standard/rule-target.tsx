import { useId } from 'preact/hooks'
import type { Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { say, sayEach } from '../../texts/say'

const places = {
  requirements: 'standard.place.requirements',
  document: 'standard.place.document',
  sections: 'standard.place.section',
  stories: 'standard.place.stories',
  tasks: 'standard.place.tasks',
  acceptance: 'standard.place.acceptance'
} as const
const filters = {
  '': 'standard.which.all',
  '[level=MUST]': 'standard.which.must',
  '[level=SHOULD]': 'standard.which.should',
  '[level=MAY]': 'standard.which.may',
  '[kind=functional]': 'standard.which.functional',
  '[kind=quality]': 'standard.which.quality',
  '[kind=constraint]': 'standard.which.constraint',
  '[kind=interface]': 'standard.which.interface',
  '[kind=data]': 'standard.which.data'
} as const
const texts = {
  '': 'standard.part.all',
  '.statement': 'standard.part.statement',
  '.title': 'standard.part.title',
  '.rationale': 'standard.part.reason'
} as const
const sections = ['summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'entities', 'interfaces',
  'edge_cases', 'success_criteria', 'risks', 'assumptions', 'open_questions', 'decisions', 'design']

type Place = keyof typeof places
interface Parts { place: Place, filter: keyof typeof filters, text: string }

const isOf = <T extends object>(names: T, name: string): name is string & keyof T => Object.hasOwn(names, name)

/** @returns the parts of a target, such as `requirements`, `[level=MUST]` and `.statement` */
const partsOf = (target: string): Parts | undefined => {
  const [, place = '', filter = '', text = ''] = /^([a-z]+)(\[[^\]]*\])?(\..*)?$/.exec(target) ?? []
  return isOf(places, place) && isOf(filters, filter) ? { place, filter, text } : undefined
}

const first: Partial<Record<Place, string>> = { requirements: '.statement', sections: '.goals' }

/** A part of the target; what the other parts say stays. */
const partOf = <K extends keyof Parts>(of: Cell<string>, parts: Parts, key: K): Cell<Parts[K]> => ({
  get value () { return parts[key] },
  set value (next) {
    const { place, filter, text }: Parts = { ...parts, ...{ [key]: next } }
    of.value = key === 'place' ? place + (first[place] ?? '') : place + filter + text
  }
})

const Requirements = ({ of, parts }: { of: Cell<string>, parts: Parts }) => {
  const text = partOf(of, parts, 'text')
  const known: Cell<keyof typeof texts> = {
    get value () { return isOf(texts, text.value) ? text.value : '' },
    set value (next) { text.value = next }
  }
  return (
    <>
      <Choice
        label={say('standard.rule.which')} value={partOf(of, parts, 'filter')} options={sayEach(filters)}
      />
      <Choice label={say('standard.rule.part')} value={known} options={sayEach(texts)} />
    </>
  )
}

const Section = ({ of, parts }: { of: Cell<string>, parts: Parts }) => {
  const list = useId()
  const name: Cell<string> = {
    get value () { return parts.text.slice(1) },
    set value (next) { partOf(of, parts, 'text').value = `.${next}` }
  }
  return (
    <>
      <TextField
        label={say('standard.rule.section')} class='mono' value={name} list={list} required maxLength={63}
        pattern='[a-z0-9][a-z0-9_\-]*' title={say('standard.rule.section.form')}
      />
      <datalist id={list}>{sections.map((one) => <option key={one} value={one} />)}</datalist>
    </>
  )
}

/** Where a rule looks. A target that has no parts here stays a text. */
export const RuleTarget = ({ of }: { of: Cell<string> }) => {
  const parts = partsOf(of.value)
  if (!parts) return <TextField label={say('standard.rule.place')} class='mono' value={of} required maxLength={100} />
  return (
    <>
      <Choice label={say('standard.rule.place')} value={partOf(of, parts, 'place')} options={sayEach(places)} />
      {parts.place === 'requirements' && <Requirements of={of} parts={parts} />}
      {parts.place === 'sections' && <Section of={of} parts={parts} />}
    </>
  )
}
