import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { ProblemNotice } from '../../parts/notice'
import { say } from '../../texts/say'

interface Props { accountId: string }

const LogQuery = ({ title, of: { command, sql } }: { title: string, of: Schemas['CloudLogQuery'] }) => <>
  <h4>{title}</h4><pre>{command}</pre><pre>{sql}</pre>
</>

const idOf = (data: FormData, name: string): string | undefined => String(data.get(name) ?? '').trim() || undefined

/** What to ask CloudTrail for the changes of one person, or of one approval. */
export const Trail = ({ accountId }: Props) => {
  const found = useSignal<Schemas['CloudTrail'] | undefined>(undefined)
  const { run, busy, problem } = useAction(async (data: FormData) => {
    const query = { user_id: idOf(data, 'user_id'), confirmation_id: idOf(data, 'confirmation_id') }
    found.value = await body(api.GET('/cloud/accounts/{account_id}/trail', {
      params: { path: { account_id: accountId }, query }
    }))
  })
  return (
    <details>
      <summary>{say('account.trail')}</summary>
      <form
        class='stack' onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        <label class='field'><span>{say('account.trail.person')}</span><input name='user_id' /></label>
        <label class='field'><span>{say('account.trail.approval')}</span><input name='confirmation_id' /></label>
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'><button disabled={busy}>{say('account.trail.show')}</button></div>
      </form>
      {found.value?.person && <LogQuery title={say('account.trail.ofPerson')} of={found.value.person} />}
      {found.value?.approval && <LogQuery title={say('account.trail.ofApproval')} of={found.value.approval} />}
    </details>
  )
}
