import type { Schemas } from '../../api/client'
import { field, type Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ProjectChoice } from '../../parts/project-choice'

type Session = Schemas['SpecSession']
export type SpecSettings = Pick<Session, 'title' | 'spec_type' | 'profile' | 'notation' | 'project_id'>

const types = {
  feature: 'Feature', bugfix: 'Bug fix', product: 'Product', api: 'API', adr: 'Decision', refactor: 'Refactoring'
} as const
const profiles = { kernel: 'Short', standard: 'Standard', full: 'Full' } as const
const notations = { ears: 'EARS', gherkin: 'Gherkin', shall: 'The system shall' } as const

/** The project of a spec is optional. */
const projectOf = (of: Cell<SpecSettings>): Cell<string> => ({
  get value () { return of.value.project_id ?? '' },
  set value (next) { of.value = { ...of.value, project_id: next === '' ? null : next } }
})

/** The kind of spec. */
export const SpecFields = ({ of }: { of: Cell<SpecSettings> }) => <>
  <TextField label='Title' value={field(of, 'title')} required maxLength={200} />
  <div class='fields'>
    <Choice label='About' value={field(of, 'spec_type')} options={types} />
    <Choice label='Length' value={field(of, 'profile')} options={profiles} />
    <Choice label='Requirements as' value={field(of, 'notation')} options={notations} />
  </div>
  <ProjectChoice value={projectOf(of)} none />
</>
