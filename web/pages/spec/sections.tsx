import { useSignal } from '@preact/signals'
import { Pencil, Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']

/** Texts, and lists of one sentence for each line; what the API limits is limited here, too. */
const sections = {
  summary: { label: 'spec.section.summary', most: 1_000 },
  problem: { label: 'spec.section.problem', most: 4_000 },
  goals: { label: 'spec.section.goals', most: 20_000 },
  non_goals: { label: 'spec.section.nonGoals', most: 20_000 },
  edge_cases: { label: 'spec.section.edgeCases', most: 20_000 },
  risks: { label: 'spec.section.risks', most: 20_000 }
} as const
type Name = keyof typeof sections

// An object's keys are text to TypeScript.
const keys = Object.keys(sections) as Name[]

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean)

const textOf = (value: SpecDocument[Name]): string => typeof value === 'string' ? value : value.join('\n')

interface EditProps extends Spec { version: Version, of: Name, onClose: () => void }

const EditSection = ({ session, version, of, onChange, onClose }: EditProps) => {
  const { label: key, most } = sections[of]
  const label = say(key)
  const value = version.document[of]
  const text = useSignal(textOf(value))
  const act = async () => {
    const next = typeof value === 'string' ? text.value.trim() : linesOf(text.value)
    await sendInputs(session.session_id, editOf(version, { op: 'replace', target: `sections.${of}`, value: next }))
    onChange()
  }
  return (
    <FormDialog title={say('spec.edit.part', { part: label })} verb={say('spec.save')} act={act} onClose={onClose}>
      <AreaField
        label={typeof value === 'string' ? label : say('spec.eachLine', { part: label })} value={text} rows={8}
        maxLength={most}
      />
    </FormDialog>
  )
}

const Section = ({ label, value, onEdit }: { label: string, value: SpecDocument[Name], onEdit: () => void }) => <div>
  <div class='row tight'><h3>{label}</h3>
    <button type='button' class='quiet icon small' aria-label={say('spec.edit.part', { part: label })} onClick={onEdit}>
      <Pencil size={15} aria-hidden='true' />
    </button>
  </div>
  {typeof value === 'string'
    ? <p class='written'>{value}</p>
    : <ul>{value.map((line) => <li key={line}>{line}</li>)}</ul>}
</div>

/** What a spec says before its requirements; a person can write each part. */
export const Sections = (spec: Spec & { version: Version }) => {
  const editing = useSignal<Name | undefined>(undefined)
  const { document } = spec.version
  const isFilled = (key: Name) => document[key].length > 0
  return (
    <section class='card stack tight' aria-label={say('spec.about')}>
      {keys.filter(isFilled).map((key) => <Section
        key={key} label={say(sections[key].label)} value={document[key]} onEdit={() => { editing.value = key }}
      />)}
      <div class='row tight'>{keys.filter((key) => !isFilled(key)).map((key) => <button
        key={key} type='button' class='small' onClick={() => { editing.value = key }}
      ><Plus size={14} aria-hidden='true' />{say(sections[key].label)}
      </button>)}
      </div>
      {editing.value && <EditSection
        key={editing.value} {...spec} of={editing.value} onClose={() => { editing.value = undefined }}
      />}
    </section>
  )
}
