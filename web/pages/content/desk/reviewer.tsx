import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import type { FindPeople } from '../../../api/people'
import { useResource } from '../../../api/resource'
import { Badge } from '../../../parts/badge'
import { FormDialog } from '../../../parts/form-dialog'
import { ProblemNotice } from '../../../parts/notice'
import { PersonChoice } from '../../../parts/person-choice'

type Reviewer = Schemas['ContentReviewer']

const whyNot = {
  not_in_workspace: 'has left the workspace',
  disabled: 'has left the workspace',
  no_role: 'may not approve any more',
  wrote_it: 'wrote the newest version'
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
    <FormDialog title='Assign a reviewer' verb='Assign' act={act} onClose={onClose}>
      <p>The reviewer hears of it through their channels.{of.decides_alone && ' Nobody else can approve the text.'}</p>
      <PersonChoice label='Reviewer' value={person} none='Nobody' find={find} known={known} />
    </FormDialog>
  )
}

const Named = ({ of }: { of: Reviewer }) => {
  const { reviewer, why_not: reason, approved_by: by } = of
  return (
    <>
      <span>Reviewer: <strong>{reviewer?.name ?? 'nobody'}</strong></span>
      {reason && <Badge tone='warn'>{whyNot[reason]}</Badge>}
      {by && reviewer && by.id !== reviewer.id && <Badge tone='info'>approved by {by.name} instead</Badge>}
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
        {content.reviewer === null ? 'Assign a reviewer' : 'Change the reviewer'}
      </button>
      {assigning.value && found.data && <AssignDialog
        of={found.data} onClose={() => { assigning.value = false }} onChange={onChange}
      />}
    </div>
  )
}
