import { Lock, LockOpen, Pencil, Trash2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { moreOften } from './citations'
import { Citations } from './cited'
import { concernOf, OneQuestion, openQuestions } from './questions'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

type Requirement = Schemas['Requirement']

const Marks = ({ requirement }: { requirement: Requirement }) => <>
  <Badge>{requirement.level}</Badge><Badge>{requirement.priority}</Badge>
  {requirement.human_edited && <Badge tone='info'>{say('spec.edited')}</Badge>}
  {requirement.filled_in && <Badge tone='warn'>{say('spec.filledIn')}</Badge>}
  {requirement.locked && <Badge tone='info'>{say('spec.locked')}</Badge>}
  {requirement.status === 'retired' && <Badge tone='warn'>{say('spec.retired')}</Badge>}
</>

const Criteria = ({ of }: { of: Schemas['Criterion'][] }) => of.length === 0
  ? null
  : <details class='small'><summary>{say('spec.criteria.count', { count: of.length })}</summary>
    <ul>{of.map(({ id, given, when, then }) =>
      <li key={id}>{say('spec.criteria.sentence', { given, when, then })}</li>)}
    </ul>
  </details>

interface Props extends Spec { version: Version, requirement: Requirement, onEdit: () => void }

const Buttons = ({ session, version, requirement, onChange, onEdit }: Props) => {
  const { id, locked, status } = requirement
  const change = (op: 'lock' | 'unlock' | 'retire') => async () => {
    await sendInputs(session.session_id, editOf(version, { op, target: id }))
    onChange()
  }
  if (status === 'retired') return null
  return (
    <>
      <ActionButton
        variant='quiet icon small' label={say(locked ? 'spec.unlock' : 'spec.lock', { id })}
        act={change(locked ? 'unlock' : 'lock')}
      >{locked ? <Lock size={15} aria-hidden='true' /> : <LockOpen size={15} aria-hidden='true' />}
      </ActionButton>
      {!locked && <>
        <button type='button' class='quiet icon small' aria-label={say('spec.edit', { name: id })} onClick={onEdit}>
          <Pencil size={15} aria-hidden='true' />
        </button>
        <ActionButton variant='quiet icon small' label={say('spec.retire', { id })} act={change('retire')}>
          <Trash2 size={15} aria-hidden='true' />
        </ActionButton>
      </>}
    </>
  )
}

export const RequirementCard = (props: Props) => {
  const { requirement, session, version, onChange } = props
  return (
    <article class='card stack tight' aria-label={requirement.id}>
      <div class='row tight'>
        <code>{requirement.id}</code><h3 class='grow'>{requirement.title}</h3>
        <Marks requirement={requirement} />
        <Buttons {...props} />
      </div>
      <p>{requirement.statement}</p>
      {requirement.retire_reason && <p class='small muted'>{requirement.retire_reason}</p>}
      <Criteria of={requirement.acceptance} />
      {openQuestions(version).filter((question) => concernOf(question, version) === requirement.id).map((question) =>
        <OneQuestion
          key={question.id} session={session} version={version} onChange={onChange} question={question}
        />)}
      <Citations session={session.session_id} of={requirement.citations} />
      {requirement.repeats && <p class='small muted'>{moreOften(requirement.repeats)}</p>}
    </article>
  )
}
