import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../../api/client'
import { useAction } from '../../../api/action'
import { Badge, formatState } from '../../../parts/badge'
import { Choice } from '../../../parts/form'
import { Notice, ProblemNotice } from '../../../parts/notice'
import { Table } from '../../../parts/table'
import { Time } from '../../../parts/time'
import { formatSummary } from '../../../parts/label'
import { risks } from './example-dialog'
import { say, sayEach, sayWith } from '../../../texts/say'

type Case = Schemas['ReplayCase']
type Counts = Schemas['ReplayCounts']
type Draft = Schemas['PolicyDraft']

const kinds = {
  '': 'replay.kind.all',
  run: 'replay.kind.run',
  forbid: 'replay.kind.forbid',
  ask: 'replay.kind.ask',
  unchanged: 'replay.kind.unchanged',
  lacking: 'replay.kind.lacking'
} as const
const outcomes = {
  run: 'replay.run',
  forbid: 'replay.forbid',
  ask: 'replay.ask',
  unchanged: 'replay.unchanged',
  lacking: 'replay.lacking'
} as const
const tones = { run: 'warn', forbid: 'bad', ask: 'info', unchanged: 'plain', lacking: 'plain' } as const

/** What the draft would have done, in exact numbers. */
export const Numbers = ({ of: { decisions, lacking, run, forbid, ask, unchanged } }: { of: Counts }) => <ul
  aria-label={say('replay.would')}
>
  <li>{say('replay.of', { count: decisions })}</li>
  <li>{say('replay.wouldRun', {
    total: run.total, rejected: say('replay.rejected', { count: run.rejected })
  })}
  </li>
  <li>{say('replay.wouldForbid', {
    total: forbid.total, approved: say('replay.approved', { count: forbid.approved })
  })}
  </li>
  {ask.map(({ approvals, total }) => <li key={approvals}>
    {say('replay.wouldAsk', { count: approvals, total })}
  </li>)}
  <li>{say('replay.wouldLeave', { count: unchanged })}</li>
  {lacking > 0 && <li>{say('replay.lack', { count: lacking })}</li>}
</ul>

const Row = ({ of }: { of: Case }) => <tr>
  <td><Link href={`/inbox/${of.confirmation_id}`}>{formatSummary({ summary: of.summary, name: of.tool })}</Link>
    <div class='small muted'>
      {sayWith('replay.riskOf', { tool: of.tool, risk: say(risks[of.risk]), when: <Time at={of.requested_at} /> })}
    </div>
  </td>
  <td><Badge tone={of.decision === 'approved' ? 'good' : 'bad'}>{formatState(of.decision)}</Badge></td>
  <td><Badge tone={tones[of.outcome]}>{say(outcomes[of.outcome])}</Badge>
    <div class='small muted'>
      {of.lacking ?? [of.verdict?.policies.join(', '), of.verdict?.reason].filter(Boolean).join(': ')}
    </div>
  </td>
</tr>

const useReplay = (onDone: () => void) => {
  const kind = useSignal<keyof typeof kinds>('')
  const counts = useSignal<Counts | undefined>(undefined)
  const cases = useSignal<Case[]>([])
  const next = useSignal<string | null>(null)
  const read = async (outcome: keyof typeof kinds, cursor?: string) => {
    const asked = { limit: 30, ...(outcome !== '' && { outcome }), ...(cursor !== undefined && { cursor }) }
    const page = await body(api.POST('/account/policies/replay', { body: asked }))
    counts.value = page.counts
    cases.value = cursor === undefined ? page.items : [...cases.peek(), ...page.items]
    next.value = page.next_cursor
  }
  const first = useAction(async (outcome: keyof typeof kinds) => {
    kind.value = outcome
    await read(outcome)
    onDone()
  })
  const more = useAction(() => read(kind.peek(), next.peek() ?? undefined))
  return { kind, counts: counts.value, cases: cases.value, isMore: next.value !== null, first, more }
}

const Cases = ({ of: { kind, cases, isMore, first, more } }: { of: ReturnType<typeof useReplay> }) => <>
  <div class='filters'>
    <Choice
      label={say('replay.decisions')} options={sayEach(kinds)}
      value={{
        get value () { return kind.value },
        set value (next) { void first.run(next) }
      }}
    />
  </div>
  {cases.length === 0
    ? <p class='muted'>{say('replay.none')}</p>
    : <Table columns={[say('replay.asked'), say('common.people'), say('replay.draft')]}>
      {cases.map((one) => <Row key={one.confirmation_id} of={one} />)}
    </Table>}
  {more.problem && <ProblemNotice problem={more.problem} />}
  {isMore && <div class='row'>
    <button type='button' disabled={more.busy} onClick={() => { void more.run() }}>{say('list.more')}</button>
  </div>}
</>

interface Props { draft: Draft, onReplayed: () => void, onEnabled: () => void }

/** Tries the saved draft on what people have decided; only then it may be enabled. */
export const Replay = ({ draft, onReplayed, onEnabled }: Props) => {
  const replay = useReplay(onReplayed)
  const enable = useAction(async () => {
    await body(api.POST('/account/policies/enable', { body: { digest: draft.digest } }))
    onEnabled()
  })
  const counts = replay.counts ?? draft.replay
  const failing = draft.results.filter(({ passed }) => !passed).length
  const isReady = draft.replayed_at !== null && failing === 0
  return (
    <section class='card stack' aria-label={say('replay.try')}>
      <h2>{say('replay.try')}</h2>
      {replay.first.problem && <ProblemNotice problem={replay.first.problem} />}
      <div class='row'>
        <button
          type='button' disabled={replay.first.busy} class={isReady ? undefined : 'primary'}
          onClick={() => { void replay.first.run('') }}
        >{replay.first.busy ? say('replay.trying') : say('replay.try')}
        </button>
        {draft.replayed_at && <span
          class='small muted'
        >{sayWith('replay.tried', { when: <Time at={draft.replayed_at} /> })}
        </span>}
      </div>
      {counts && <div role='status'><Numbers of={counts} /></div>}
      {replay.counts && <Cases of={replay} />}
      {enable.problem && <ProblemNotice problem={enable.problem} />}
      {failing > 0 && <Notice tone='warn'>
        {say('replay.failing', { count: failing })}
      </Notice>}
      <div class='row'>
        <button type='button' class='primary' disabled={!isReady || enable.busy} onClick={() => { void enable.run() }}>
          {say('replay.enable')}
        </button>
        {!draft.replayed_at && <span class='small muted'>{say('replay.after')}</span>}
      </div>
    </section>
  )
}
