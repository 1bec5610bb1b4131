import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { hasEnded } from '../../approvals/following'
import { StateBadge } from '../../parts/badge'
import { Time } from '../../parts/time'
import { TypedResult } from '../../results/typed'
import { me } from '../../shell/session'
import { say } from '../../texts/say'

type Question = Schemas['ConfirmationDetails']

const live = 3_000

/** What came back of what was approved, for the person who asked: others see no results. */
export const Outcome = ({ of: { status, tool_call_id: id, requested_by: by, decided_at: at } }: { of: Question }) => {
  const isMine = by.id === me.value?.user.id
  const { data } = useResource([id, status], async (signal) => status === 'approved' && isMine && id !== null
    ? body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', { params: { path: { tool_call_id: id } }, signal }))
      .catch(() => undefined)
    : undefined, { every: live, until: (call) => status !== 'approved' || !isMine || (call !== undefined && hasEnded(call.status)) })
  // While it runs, the card says so.
  if (!data || !hasEnded(data.status)) return null
  return (
    <section class='card stack' aria-label={say('question.result')}>
      <h2>{say('question.result')}</h2>
      <p class='row tight'><StateBadge state={data.status} /><Time at={data.finished_at ?? at} /></p>
      {data.result !== null && <TypedResult call={data} />}
    </section>
  )
}
