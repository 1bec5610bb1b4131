import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../../api/client'
import { useAction } from '../../../api/action'
import { Badge } from '../../../parts/badge'
import { Choice } from '../../../parts/form'
import { formatCount } from '../../../parts/money'
import { Notice, ProblemNotice } from '../../../parts/notice'
import { Table } from '../../../parts/table'
import { Time } from '../../../parts/time'

type Case = Schemas['ReplayCase']
type Counts = Schemas['ReplayCounts']
type Draft = Schemas['PolicyDraft']

const kinds = {
  '': 'All that would be otherwise',
  run: 'Would have run',
  forbid: 'Would have been forbidden',
  ask: 'Would have been asked otherwise',
  unchanged: 'As without policies',
  lacking: 'Not evaluated'
} as const
const outcomes = {
  run: 'runs', forbid: 'forbidden', ask: 'asked', unchanged: 'as before', lacking: 'not known'
} as const
const tones = { run: 'warn', forbid: 'bad', ask: 'info', unchanged: 'plain', lacking: 'plain' } as const

const wereBy = (count: number, what: string): string =>
  `${formatCount(count)} of these ${count === 1 ? 'was' : 'were'} ${what} by people`

/** What the draft would have done, in exact numbers. */
export const Numbers = ({ of: { decisions, lacking, run, forbid, ask, unchanged } }: { of: Counts }) => <ul
  aria-label='What the draft would have done'
>
  <li>Of {formatCount(decisions)} past decisions,</li>
  <li>would have run {formatCount(run.total)} without asking; {wereBy(run.rejected, 'rejected')},</li>
  <li>would have forbidden {formatCount(forbid.total)}; {wereBy(forbid.approved, 'approved')},</li>
  {ask.map(({ approvals, total }) => <li key={approvals}>
    would have asked {approvals === 1 ? 'one person' : `${approvals} people`} for {formatCount(total)},
  </li>)}
  <li>would have left {formatCount(unchanged)} as without policies.</li>
  {lacking > 0 && <li>{formatCount(lacking)} lack what a policy needs to know, and are not guessed.</li>}
</ul>

const Row = ({ of }: { of: Case }) => <tr>
  <td><Link href={`/inbox/${of.confirmation_id}`}>{of.summary || of.tool}</Link>
    <div class='small muted'>{of.tool} · {of.risk} risk · <Time at={of.requested_at} /></div>
  </td>
  <td><Badge tone={of.decision === 'approved' ? 'good' : 'bad'}>{of.decision}</Badge></td>
  <td><Badge tone={tones[of.outcome]}>{outcomes[of.outcome]}</Badge>
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
      label='Decisions' options={kinds}
      value={{
        get value () { return kind.value },
        set value (next) { void first.run(next) }
      }}
    />
  </div>
  {cases.length === 0
    ? <p class='muted'>No decision is like this.</p>
    : <Table columns={['Asked', 'People', 'The draft']}>
      {cases.map((one) => <Row key={one.confirmation_id} of={one} />)}
    </Table>}
  {more.problem && <ProblemNotice problem={more.problem} />}
  {isMore && <div class='row'>
    <button type='button' disabled={more.busy} onClick={() => { void more.run() }}>Show more</button>
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
    <section class='card stack' aria-label='Try on past decisions'>
      <h2>Try on past decisions</h2>
      {replay.first.problem && <ProblemNotice problem={replay.first.problem} />}
      <div class='row'>
        <button
          type='button' disabled={replay.first.busy} class={isReady ? undefined : 'primary'}
          onClick={() => { void replay.first.run('') }}
        >{replay.first.busy ? 'Trying …' : 'Try on past decisions'}
        </button>
        {draft.replayed_at && <span class='small muted'>Tried <Time at={draft.replayed_at} /></span>}
      </div>
      {counts && <div role='status'><Numbers of={counts} /></div>}
      {replay.counts && <Cases of={replay} />}
      {enable.problem && <ProblemNotice problem={enable.problem} />}
      {failing > 0 && <Notice tone='warn'>
        {failing === 1 ? 'An example fails' : `${failing} examples fail`}, so the draft cannot be enabled.
      </Notice>}
      <div class='row'>
        <button type='button' class='primary' disabled={!isReady || enable.busy} onClick={() => { void enable.run() }}>
          Enable the draft
        </button>
        {!draft.replayed_at && <span class='small muted'>After it was tried on past decisions.</span>}
      </div>
    </section>
  )
}
