import type { Schemas } from '../../api/client'
import { field, type Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ProjectChoice } from '../../parts/project-choice'
import { say, sayEach } from '../../texts/say'

type Session = Schemas['SpecSession']
export type SpecSettings = Pick<Session, 'title' | 'spec_type' | 'profile' | 'notation' | 'project_id'>

export const types = {
  feature: 'specs.type.feature',
  bugfix: 'specs.type.bugfix',
  product: 'specs.type.product',
  api: 'nav.api',
  adr: 'specs.type.adr',
  refactor: 'specs.type.refactor'
} as const
export const profiles = {
  kernel: 'specs.profile.kernel',
  standard: 'specs.profile.standard',
  full: 'specs.profile.full'
} as const
const notations = {
  ears: 'specs.notation.ears', gherkin: 'specs.notation.gherkin', shall: 'specs.notation.shall'
} as const

/** The project of a spec is optional. */
const projectOf = (of: Cell<SpecSettings>): Cell<string> => ({
  get value () { return of.value.project_id ?? '' },
  set value (next) { of.value = { ...of.value, project_id: next === '' ? null : next } }
})

/** The kind of spec. */
export const SpecFields = ({ of }: { of: Cell<SpecSettings> }) => <>
  <TextField label={say('specs.title')} value={field(of, 'title')} required maxLength={200} />
  <div class='fields'>
    <Choice label={say('specs.about')} value={field(of, 'spec_type')} options={sayEach(types)} />
    <Choice label={say('specs.length')} value={field(of, 'profile')} options={sayEach(profiles)} />
    <Choice label={say('specs.notation')} value={field(of, 'notation')} options={sayEach(notations)} />
  </div>
  <ProjectChoice value={projectOf(of)} none={say('project.noProject')} />
</>
