import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { useAction } from '../api/action'
import { api, body, type Schemas } from '../api/client'
import { Notice, ProblemNotice } from '../parts/notice'
import { TimeLeft } from '../parts/time'
import { me } from '../shell/session'
import type { Approval } from './approval'
import { say, sayWith } from '../texts/say'

const minutes = 30
/** Milliseconds after the approval in which it may be given. */
const offered = 10 * 60_000

/** Where one approval was enough; whether the conversation has read foreign text since is the server's to say. */
const isOffered = ({ kind, status, risk, target, decided_at: at, decided_by: by, requirement }: Approval): boolean =>
  kind === 'tool' && status === 'approved' && risk !== 'high' && target !== null &&
  by?.id === me.value?.user.id && (requirement?.approvals ?? 1) === 1 &&
  at !== null && Date.now() - Date.parse(at) < offered

/** Lets the same tool run on the same target for a time, right after its approval. */
export const GrantOffer = ({ approval }: { approval: Approval }) => {
  const given = useSignal<Schemas['Grant'] | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    given.value = await body(api.POST('/api/v1/agent/grants', { body: { confirmation_id: approval.id, minutes } }))
  })
  if (given.value) {
    return (
      <Notice tone='good'>
        {sayWith('grant.given', { left: <TimeLeft until={given.value.expires_at} /> })}{' '}
        <Link href='/settings/grants'>{say('grant.see')}</Link>
      </Notice>
    )
  }
  if (!isOffered(approval)) return null
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <div class='row tight'>
        <button type='button' class='small' disabled={busy} onClick={() => { void run() }}>
          {say('grant.verb', { minutes })}
        </button>
        <span class='small muted'>{say('grant.words')}</span>
      </div>
    </>
  )
}
