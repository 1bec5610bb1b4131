import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { findPeople, findUsers } from '../../api/people'
import { Combobox, type Found } from '../../parts/combobox'
import { formatSummary } from '../../parts/label'
import { ProblemNotice } from '../../parts/notice'
import { PersonChoice } from '../../parts/person-choice'
import { formatExact } from '../../parts/time'
import { me } from '../../shell/session'
import { say } from '../../texts/say'

interface Props { accountId: string }
interface Approval { id: string, label: string }

const LogQuery = ({ title, of: { command, sql } }: { title: string, of: Schemas['CloudLogQuery'] }) => <>
  <h4>{title}</h4><pre>{command}</pre><pre>{sql}</pre>
</>

const most = 30
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const found = (approvals: Approval[], isMore: boolean): Found<Approval> =>
  ({ options: approvals.map((item) => ({ key: item.id, label: item.label, item })), isMore })

/** @returns what was approved, newest first, by its words; also an id, which is what CloudTrail itself has */
const findApprovals = async (q: string, signal: AbortSignal): Promise<Found<Approval>> => {
  if (uuid.test(q)) return found([{ id: q.toLowerCase(), label: q }], false)
  const query = { view: 'workspace', status: 'approved', limit: most, q: q.slice(0, 200) || undefined } as const
  const { items, next_cursor: next } =
    await body(api.GET('/api/v1/agent/confirmations', { params: { query }, signal }))
  const labelOf = (item: Schemas['Confirmation']): string =>
    `${formatSummary(item)} (${item.requested_by.name}, ${formatExact(Date.parse(item.requested_at))})`
  return found(items.map((item) => ({ id: item.id, label: labelOf(item) })), next !== null)
}

/** What to ask CloudTrail for the changes of one person, or of one approval. */
export const Trail = ({ accountId }: Props) => {
  const person = useSignal('')
  const approval = useSignal<Approval | undefined>(undefined)
  const queries = useSignal<Schemas['CloudTrail'] | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    const query = { user_id: person.value || undefined, confirmation_id: approval.value?.id }
    queries.value = await body(api.GET('/cloud/accounts/{account_id}/trail', {
      params: { path: { account_id: accountId }, query }
    }))
  })
  return (
    <details>
      <summary>{say('account.trail')}</summary>
      <form
        class='stack' onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <PersonChoice
          label={say('common.person')} value={person} none={say('account.trail.nobody')}
          find={me.value?.role === 'admin' ? findUsers : findPeople}
        />
        <Combobox
          label={say('account.trail.approval')}
          chosen={approval.value?.label ?? ''} chosenKey={approval.value?.id ?? ''}
          none={say('account.trail.none')} find={findApprovals} onChoose={(one) => { approval.value = one }}
        />
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'><button disabled={busy}>{say('account.trail.show')}</button></div>
      </form>
      {queries.value?.person && <LogQuery title={say('account.trail.ofPerson')} of={queries.value.person} />}
      {queries.value?.approval && <LogQuery title={say('account.trail.ofApproval')} of={queries.value.approval} />}
    </details>
  )
}
