import { useSignal } from '@preact/signals'
import { Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ChangedMeanwhile, useBase } from './base'
import { PartHead } from './part-head'
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
  risks: { label: 'spec.section.risks', most: 20_000 },
  design: { label: 'spec.section.design', most: 40_000 }
} as const
type Name = keyof typeof sections

// An object's keys are text to TypeScript.
const keys = Object.keys(sections) as Name[]

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean)

const textOf = (value: SpecDocument[Name]): string => Array.isArray(value) ? value.join('\n') : value ?? ''

interface EditProps extends Spec { version: Version, of: Name, onClose: () => void }

const EditSection = ({ of, onClose, ...spec }: EditProps) => {
  const { label: key, most } = sections[of]
  const label = say(key)
  const value = spec.version.document[of]
  const text = useSignal(textOf(value))
  const base = useBase(spec, spec.version, (document) => document[of])
  const act = () => base.send({
    op: 'replace', target: `sections.${of}`, value: Array.isArray(value) ? linesOf(text.value) : text.value.trim()
  })
  return (
    <FormDialog
      title={say('spec.edit.part', { part: label })} verb={say('spec.save')} act={act} ready={!base.newer}
      onClose={onClose}
    >
      <ChangedMeanwhile of={base} />
      <AreaField
        label={Array.isArray(value) ? say('spec.eachLine', { part: label }) : label} value={text} rows={8}
        maxLength={most}
      />
    </FormDialog>
  )
}

const Written = ({ value }: { value: SpecDocument[Name] }) => Array.isArray(value)
  ? <ul>{value.map((line) => <li key={line}>{line}</li>)}</ul>
  : <p class='written'>{value}</p>

/** What a spec says before its requirements; a person can write each part. */
export const Sections = (spec: Spec & { version: Version }) => {
  const editing = useSignal<Name | undefined>(undefined)
  const { document } = spec.version
  const isFilled = (key: Name) => (document[key] ?? '').length > 0
  return (
    <section class='card stack tight' aria-label={say('spec.about')}>
      {keys.filter(isFilled).map((key) => <div key={key}>
        <PartHead {...spec} name={key} label={say(sections[key].label)} onEdit={() => { editing.value = key }} />
        <Written value={document[key]} />
      </div>)}
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
