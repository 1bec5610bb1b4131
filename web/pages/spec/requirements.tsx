import { useSignal } from '@preact/signals'
import { Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { Notice } from '../../parts/notice'
import { EditRequirement } from './edit-requirement'
import { Lists } from './lists'
import { NotRead, NotTaken } from './not-taken'
import { concernOf, openQuestions, Questions } from './questions'
import { RequirementCard } from './requirement-card'
import { Sections } from './sections'
import { Stories } from './stories'
import { Suggestions } from './suggestions'
import type { Spec, Version } from './index'
import './spec.css'
import { say } from '../../texts/say'

type Requirement = Schemas['Requirement']

const Uncovered = ({ uncovered }: { uncovered: Schemas['Uncovered'][] }) => uncovered.length === 0
  ? null
  : <details class='card'><summary>{say('spec.uncovered', { count: uncovered.length })}</summary>
    <ul>{uncovered.map((one) => <li key={one.chunk_id + one.quote}>
      “{one.quote}” <span class='muted'>{one.why}</span>
    </li>)}
    </ul>
  </details>

/** The requirements with their citations; a person can edit and lock each. */
export const Requirements = ({ session, version, onChange }: Spec & { version: Version }) => {
  const editing = useSignal<Requirement | 'new' | undefined>(undefined)
  const { document } = version
  const part = { session, version, onChange }
  // What concerns one requirement stands at it.
  const general = openQuestions(version).filter((question) => concernOf(question, version) === undefined)
  return (
    <div class='stack'>
      {document.engine.notice && <Notice>{document.engine.notice}</Notice>}
      <NotRead of={version.checks} />
      <Questions {...part} of={general} />
      <Suggestions {...part} />
      <Sections {...part} />
      <Stories {...part} />
      <div class='row spread'><h2>{say('spec.requirements.of', { version: String(version.version) })}</h2>
        <button type='button' class='small' onClick={() => { editing.value = 'new' }}>
          <Plus size={14} aria-hidden='true' />{say('spec.requirement.add')}
        </button>
      </div>
      {document.requirements.map((requirement) => <RequirementCard
        key={requirement.id} {...part} requirement={requirement} onEdit={() => { editing.value = requirement }}
      />)}
      <Lists {...part} />
      <Uncovered uncovered={document.uncovered} />
      <NotTaken session={session.session_id} of={document.not_taken ?? []} more={document.not_taken_more} />
      {editing.value && <EditRequirement
        {...part} requirement={editing.value === 'new' ? undefined : editing.value}
        onClose={() => { editing.value = undefined }}
      />}
    </div>
  )
}
