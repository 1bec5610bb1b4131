import { useSignal } from '@preact/signals'
import { Pencil, Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'

type SpecDocument = Schemas['SpecDocument']

/** Texts, and lists of one sentence for each line; what the API limits is limited here, too. */
const sections = {
  summary: { label: 'Summary', most: 1_000 },
  problem: { label: 'Problem', most: 4_000 },
  goals: { label: 'Goals', most: 20_000 },
  non_goals: { label: 'What it is not for', most: 20_000 },
  edge_cases: { label: 'Edge cases', most: 20_000 },
  risks: { label: 'Risks', most: 20_000 }
} as const
type Key = keyof typeof sections

// An object's keys are text to TypeScript.
const keys = Object.keys(sections) as Key[]

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean)

const textOf = (value: SpecDocument[Key]): string => typeof value === 'string' ? value : value.join('\n')

interface EditProps extends Spec { version: Version, of: Key, onClose: () => void }

const EditSection = ({ session, version, of, onChange, onClose }: EditProps) => {
  const { label, most } = sections[of]
  const value = version.document[of]
  const text = useSignal(textOf(value))
  const act = async () => {
    const next = typeof value === 'string' ? text.value.trim() : linesOf(text.value)
    await sendInputs(session.session_id, editOf(version, { op: 'replace', target: `sections.${of}`, value: next }))
    onChange()
  }
  return (
    <FormDialog title={`Edit: ${label}`} verb='Save' act={act} onClose={onClose}>
      <AreaField
        label={typeof value === 'string' ? label : `${label}, one in each line`} value={text} rows={8} maxLength={most}
      />
    </FormDialog>
  )
}

const Section = ({ label, value, onEdit }: { label: string, value: SpecDocument[Key], onEdit: () => void }) => <div>
  <div class='row tight'><h3>{label}</h3>
    <button type='button' class='quiet icon small' aria-label={`Edit: ${label}`} onClick={onEdit}>
      <Pencil size={15} aria-hidden='true' />
    </button>
  </div>
  {typeof value === 'string'
    ? <p class='written'>{value}</p>
    : <ul>{value.map((line) => <li key={line}>{line}</li>)}</ul>}
</div>

/** What a spec says before its requirements; a person can write each part. */
export const Sections = (spec: Spec & { version: Version }) => {
  const editing = useSignal<Key | undefined>(undefined)
  const { document } = spec.version
  const isFilled = (key: Key) => document[key].length > 0
  return (
    <section class='card stack tight' aria-label='What it is about'>
      {keys.filter(isFilled).map((key) => <Section
        key={key} label={sections[key].label} value={document[key]} onEdit={() => { editing.value = key }}
      />)}
      <div class='row tight'>{keys.filter((key) => !isFilled(key)).map((key) => <button
        key={key} type='button' class='small' onClick={() => { editing.value = key }}
      ><Plus size={14} aria-hidden='true' />{sections[key].label}
      </button>)}
      </div>
      {editing.value && <EditSection
        key={editing.value} {...spec} of={editing.value} onClose={() => { editing.value = undefined }}
      />}
    </section>
  )
}
