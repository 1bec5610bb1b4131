import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import type { FindPeople } from '../../../api/people'
import { useResource } from '../../../api/resource'
import { Badge } from '../../../parts/badge'
import { FormDialog } from '../../../parts/form-dialog'
import { ProblemNotice } from '../../../parts/notice'
import { PersonChoice } from '../../../parts/person-choice'
import { say, sayWith } from '../../../texts/say'

type Reviewer = Schemas['ContentReviewer']

const whyNot = {
  not_in_workspace: 'reviewer.left',
  disabled: 'reviewer.left',
  no_role: 'reviewer.noRole',
  wrote_it: 'reviewer.wrote'
} as const

const AssignDialog = ({ of, onClose, onChange }: { of: Reviewer, onClose: () => void, onChange: () => void }) => {
  const person = useSignal(of.may_approve ? of.reviewer?.id ?? '' : '')
  const known = of.reviewer ? { [of.reviewer.id]: of.reviewer.name } : {}
  const find: FindPeople = async (q, signal) => {
    const params = { path: { content_id: of.content_id }, query: { q: q || undefined } }
    const { candidates } = await body(api.GET('/content/{content_id}/reviewer', { params, signal }))
    return { people: candidates, isMore: candidates.length >= 100 }
  }
  const act = async () => {
    await body(api.PUT('/content/{content_id}/reviewer', {
      params: { path: { content_id: of.content_id }, header: { 'If-Match': `"r${of.revision}"` } },
      body: { user_id: person.value === '' ? null : person.value }
    }))
    onChange()
  }
  return (
    <FormDialog title={say('reviewer.assign')} verb={say('reviewer.verb')} act={act} onClose={onClose}>
      <p>{say('reviewer.words')}{of.decides_alone && ` ${say('reviewer.alone')}`}</p>
      <PersonChoice
        label={say('contents.reviewer')} value={person} none={say('reviewer.none')} find={find} known={known}
      />
    </FormDialog>
  )
}

const Named = ({ of }: { of: Reviewer }) => {
  const { reviewer, why_not: reason, approved_by: by } = of
  return (
    <>
      <span>{sayWith('reviewer.is', { name: <strong>{reviewer?.name ?? say('reviewer.nobody')}</strong> })}</span>
      {reason && <Badge tone='warn'>{say(whyNot[reason])}</Badge>}
      {by && reviewer && by.id !== reviewer.id &&
        <Badge tone='info'>{say('reviewer.instead', { name: by.name })}</Badge>}
    </>
  )
}

/** Who reviews the record, and whether they still can. */
export const ReviewerLine = ({ content, onChange }: { content: Schemas['Content'], onChange: () => void }) => {
  const assigning = useSignal(false)
  const found = useResource([content.id, content.revision], (signal) =>
    body(api.GET('/content/{content_id}/reviewer', { params: { path: { content_id: content.id } }, signal })))
  if (found.problem) return <ProblemNotice problem={found.problem} retry={found.reload} />
  return (
    <div class='row tight'>
      {found.data && <Named of={found.data} />}
      <button type='button' class='small' disabled={!found.data} onClick={() => { assigning.value = true }}>
        {say(content.reviewer === null ? 'reviewer.assign' : 'reviewer.change')}
      </button>
      {assigning.value && found.data && <AssignDialog
        of={found.data} onClose={() => { assigning.value = false }} onChange={onChange}
      />}
    </div>
  )
}
