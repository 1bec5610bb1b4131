import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { field } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ChangedMeanwhile, useBase } from './base'
import { CriteriaEditor, withoutIds, type Written } from './criteria'
import type { Spec, Version } from './index'
import { say, sayEach } from '../../texts/say'

type Requirement = Schemas['Requirement']
type Edited = Pick<Requirement, 'title' | 'statement' | 'level' | 'priority' | 'rationale'> &
  { acceptance: Written[] }

const levels = { MUST: 'spec.must', SHOULD: 'spec.should', MAY: 'spec.may' } as const
const priorities = { P1: 'P1', P2: 'P2', P3: 'P3' } as const
const blank: Edited =
  { title: '', statement: '', level: 'MUST', priority: 'P2', rationale: '', acceptance: [] }

const editable = ({ title, statement, level, priority, rationale, acceptance }: Requirement): Edited =>
  ({ title, statement, level, priority, rationale, acceptance: withoutIds(acceptance) })

interface Props extends Spec { version: Version, requirement: Requirement | undefined, onClose: () => void }

/** Edits or adds a requirement; later generations keep it. */
export const EditRequirement = ({ requirement, onClose, ...spec }: Props) => {
  const edited = useSignal(requirement ? editable(requirement) : blank)
  const base = useBase(spec, spec.version, ({ requirements }) => requirements.find(({ id }) => id === requirement?.id))
  const act = () => base.send(requirement
    ? { op: 'replace', target: requirement.id, value: edited.value }
    : { op: 'add', target: 'requirements', value: edited.value })
  return (
    <FormDialog
      title={requirement ? say('spec.edit', { name: requirement.id }) : say('spec.requirement.add')}
      verb={say('spec.save')} act={act} ready={!base.newer} onClose={onClose}
    >
      <ChangedMeanwhile of={base} />
      <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={120} />
      <AreaField label={say('spec.statement')} value={field(edited, 'statement')} required rows={4} maxLength={2000} />
      <div class='fields'>
        <Choice label={say('spec.level')} value={field(edited, 'level')} options={sayEach(levels)} />
        <Choice label={say('spec.priority')} value={field(edited, 'priority')} options={priorities} />
      </div>
      <AreaField label={say('spec.reason')} value={field(edited, 'rationale')} rows={2} maxLength={1000} />
      <CriteriaEditor of={field(edited, 'acceptance')} />
    </FormDialog>
  )
}
