import { Trash2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { moreOften } from './citations'
import { Citations } from './cited'
import { EditButton, LockButton } from './part-head'
import { concernOf, OneQuestion, openQuestions } from './question'
import { sendEdit } from './send-inputs'
import { sentenceOf } from './criteria'
import type { Written } from './index'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Requirement = Schemas['Requirement']

const Marks = ({ requirement }: { requirement: Requirement }) => <>
  <Badge>{requirement.level}</Badge><Badge>{requirement.priority}</Badge>
  {requirement.human_edited && <Badge tone='info'>{say('spec.edited')}</Badge>}
  {requirement.locked && <Badge tone='info'>{say('spec.locked')}</Badge>}
  {requirement.status === 'retired' && <Badge tone='warn'>{say('spec.retired')}</Badge>}
</>

const Criteria = ({ of }: { of: Schemas['Criterion'][] }) => of.length === 0
  ? null
  : <details class='small'><summary>{say('spec.criteria.count', { count: of.length })}</summary>
    <ul>{of.map((one) => <li key={one.id}>{sentenceOf(one)}</li>)}</ul>
  </details>

interface Props extends Written { requirement: Requirement }

const Buttons = ({ requirement, ...written }: Props) => {
  const { session, version, onChange, edit } = written
  const { id, locked, status } = requirement
  const retire = () => sendEdit(session.session_id, version, {
    of: ({ requirements }) => requirements.find((one) => one.id === id)?.statement,
    op: () => ({ op: 'retire', target: id })
  }).finally(onChange)
  if (status === 'retired') return null
  return (
    <>
      <LockButton {...written} target={id} label={id} isLocked={locked} />
      {!locked && <>
        <EditButton label={say('spec.edit', { name: id })} onEdit={() => { edit(id) }} />
        <ActionButton variant='quiet icon small' label={say('spec.retire', { id })} act={retire}>
          <Trash2 size={15} aria-hidden='true' />
        </ActionButton>
      </>}
    </>
  )
}

export const RequirementCard = (props: Props) => {
  const { requirement, ...written } = props
  const { session, version } = written
  return (
    <article class='card stack tight' aria-label={requirement.id} data-item={requirement.id} tabIndex={-1}>
      <div class='row tight'>
        <code>{requirement.id}</code><h3 class='grow'>{requirement.title}</h3>
        <Marks requirement={requirement} />
        <Buttons {...props} />
      </div>
      <p>{requirement.statement}</p>
      {requirement.retire_reason && <p class='small muted'>{translate('reasons', requirement.retire_reason)}</p>}
      <Criteria of={requirement.acceptance} />
      {openQuestions(version).filter((question) => concernOf(question, version) === requirement.id).map((question) =>
        <OneQuestion key={question.id} {...written} question={question} />)}
      <Citations session={session.session_id} of={requirement.citations} />
      {requirement.repeats && <p class='small muted'>{moreOften(requirement.repeats)}</p>}
    </article>
  )
}
