import type { Schemas } from '../../api/client'
import { field } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { CriteriaEditor, CriteriaList, withoutIds, type WrittenCriterion } from './criteria'
import { EditPart, type Part } from './edit-part'
import type { EditorProps } from './section-part'
import { say, sayEach } from '../../texts/say'

type Requirement = Schemas['Requirement']
type Edited = Pick<Requirement, 'title' | 'statement' | 'level' | 'priority' | 'rationale'> &
  { acceptance: WrittenCriterion[] }

const levels = { MUST: 'spec.must', SHOULD: 'spec.should', MAY: 'spec.may' } as const
const priorities = { P1: 'P1', P2: 'P2', P3: 'P3' } as const
const blank: Edited =
  { title: '', statement: '', level: 'MUST', priority: 'P2', rationale: '', acceptance: [] }

const editable = ({ title, statement, level, priority, rationale, acceptance }: Requirement): Edited =>
  ({ title, statement, level, priority, rationale, acceptance: withoutIds(acceptance) })

const partOf = (id: string | undefined): Part<Edited> => ({
  target: id ?? 'requirements',
  title: id === undefined ? say('spec.requirement.add') : say('spec.edit', { name: id }),
  blank,
  read: ({ requirements }) => {
    const found = requirements.find((one) => one.id === id)
    return found && editable(found)
  },
  op: (value) => id === undefined ? { op: 'add', target: 'requirements', value } : { op: 'replace', target: id, value },
  show: ({ title, statement, level, priority, rationale, acceptance }) => <>
    <p><strong>{title}</strong> {statement}</p>
    <p class='small muted'>{[say(levels[level]), priority, rationale].filter(Boolean).join(' · ')}</p>
    <CriteriaList of={acceptance} />
  </>
})

/** Edits a requirement, or adds one where the id is undefined; later generations keep it. */
export const EditRequirement = ({ id, ...props }: EditorProps & { id: string | undefined }) => <EditPart
  {...props} part={partOf(id)}
>{(edited) => <>
  <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={120} />
  <AreaField label={say('spec.statement')} value={field(edited, 'statement')} required rows={4} maxLength={2000} />
  <div class='fields'>
    <Choice label={say('spec.level')} value={field(edited, 'level')} options={sayEach(levels)} />
    <Choice label={say('spec.priority')} value={field(edited, 'priority')} options={priorities} />
  </div>
  <AreaField label={say('spec.reason')} value={field(edited, 'rationale')} rows={2} maxLength={1000} />
  <CriteriaEditor of={field(edited, 'acceptance')} />
</>}
</EditPart>
