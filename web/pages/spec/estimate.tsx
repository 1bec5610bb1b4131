import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { formatMoney } from '../../parts/money'
import type { Session } from './index'
import { say } from '../../texts/say'

const load = async (session: Session, signal: AbortSignal) => {
  const answer = await body(api.POST('/pse/sessions/{session_id}/generate',
    { params: { path: { session_id: session.session_id } }, body: { dry_run: true }, signal }))
  // The request does not ask for a stream.
  return typeof answer === 'object' && 'generation' in answer ? answer.generation : undefined
}

/** What generating would take, as a dry run says; nothing where it could not start. */
export const Estimate = ({ session }: { session: Session }) => {
  const { data } = useResource([session.session_id, session.revision], (signal) => load(session, signal))
  if (!data) return null
  const { estimate: { model_calls: calls, input_tokens: tokens, tokens_by: by, parts = 1, cost }, warnings } = data
  return (
    <div class='small muted'>
      <p>
        {calls === 0
          ? say('spec.estimate.free')
          : say(by === 'model' ? 'spec.estimate.counted' : 'spec.estimate.guessed',
            { calls, tokens, cost: formatMoney(cost) })}
        {parts > 1 && ` ${say('spec.estimate.parts', { parts })}`}
      </p>
      {warnings.map((one) => <p key={one}>{one}</p>)}
    </div>
  )
}
