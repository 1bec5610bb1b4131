import type { Schemas } from '../../api/client'
import { fromEvent, type Approval } from '../../approvals/approval'

/** A call as the transcript shows it, from the stream or from the stored messages. */
export interface CallEntry {
  kind: 'call'
  id: string
  name: string
  arguments: unknown
  effect: 'read' | 'write'
  status: string
  http_status: number | null
  result: unknown
  truncated: boolean
  approval: Approval | undefined
  /** The conversation goes on without it. */
  still_waits?: true | undefined
  /** What let a write run unasked. */
  decided_by?: string | undefined
  /** Of such a write, while its stream is followed. */
  unasked?: Schemas['UnaskedPlan'] | undefined
}

export type Rating = Schemas['GivenFeedback']['rating']

export type Entry =
  | { kind: 'user', id: string, text: string, files?: readonly Schemas['Attachment'][] }
  | { kind: 'text', id: string, text: string, rating: Rating | null }
  | ({ kind: 'compacted', id: string, text: string } & Schemas['Compaction'])
  | { kind: 'moved', id: string, from: string, to: string, reason: Schemas['ModelChangedEvent']['reason'] }
  | { kind: 'budget', id: string, approval: Approval }
  | { kind: 'notice', id: string, code: string, text: string, fatal: boolean }
  | { kind: 'stopped', id: string }
  | CallEntry
  /** Reads that follow each other, as they are shown. */
  | { kind: 'calls', id: string, calls: CallEntry[] }

type Event = Schemas['ChatEvent']
type Entries = readonly Entry[]

const replace = (entries: Entries, id: string, change: (found: Entry | undefined) => Entry): Entries => {
  const index = entries.findIndex((entry) => entry.id === id)
  return index < 0 ? [...entries, change(undefined)] : entries.with(index, change(entries[index]))
}

const addText = (entries: Entries, { message_id: id, text, reset }: Schemas['ContentEvent']): Entries =>
  replace(entries, id, (found) =>
    ({ kind: 'text', id, text: found?.kind === 'text' && !reset ? found.text + text : text, rating: null }))

const noResult = { http_status: null, result: undefined, truncated: false, approval: undefined }

const changeCall = (entries: Entries, id: string, change: Partial<CallEntry>): Entries =>
  replace(entries, id, (found) => found?.kind === 'call'
    ? { ...found, ...change }
    : { kind: 'call', id, name: '', arguments: {}, effect: 'read', status: 'running', ...noResult, ...change })

/** @returns the decision that the status of a call implies; another tab may have made it */
const decidedBy = (status: string): Approval['status'] | undefined => {
  if (status === 'awaiting_confirmation' || status === 'awaiting') return undefined
  if (status === 'rejected' || status === 'expired') return status
  return status === 'superseded' || status === 'cancelled' ? 'closed' : 'approved'
}

const settle = (approval: Approval | undefined, status: string): Approval | undefined => {
  const decided = decidedBy(status)
  // The record, which is read later, has the time of the decision, and an edit.
  return approval?.status === 'pending' && decided ? { ...approval, status: decided } : approval
}

const callOf = (entries: Entries, id: string): CallEntry | undefined =>
  entries.find((entry): entry is CallEntry => entry.id === id && entry.kind === 'call')

const addCall = (entries: Entries, event: Schemas['ToolCallEvent'] | Schemas['ToolResultEvent']): Entries => {
  const { type: _, tool_call_id: id, ...changes } = event
  const waits = event.type === 'tool_call' ? event.still_waits : undefined
  return changeCall(entries, id, { ...changes, still_waits: waits, approval: settle(callOf(entries, id)?.approval, changes.status) })
}

/** @returns the entries with the current state of the approval */
export const putApproval = (entries: Entries, approval: Approval): Entries => {
  const { id, tool_call_id: call, arguments: args } = approval
  if (call === null) return replace(entries, id, () => ({ kind: 'budget', id, approval }))
  return changeCall(entries, call, { approval, arguments: args, name: approval.name, effect: 'write' })
}

const addNotice = (entries: Entries, { code, message, fatal }: Schemas['ErrorEvent'], id: string): Entries =>
  [...entries, { kind: 'notice', id, code, text: message, fatal }]

const addCompaction = (entries: Entries, { type: _, message_id: id, ...weight }: Schemas['CompactedEvent']): Entries =>
  replace(entries, id, () => ({ kind: 'compacted', id, text: '', ...weight }))

const addMove = (entries: Entries, { from, to, reason }: Schemas['ModelChangedEvent'], id: string): Entries =>
  [...entries, { kind: 'moved', id, from, to, reason }]

/** A failure has sent an error before. */
const addEnd = (entries: Entries, { status, run_id: run }: Schemas['DoneEvent']): Entries =>
  status === 'cancelled' ? replace(entries, `${run}-end`, () => ({ kind: 'stopped', id: `${run}-end` })) : entries

const isPending = ({ approval }: { approval: Approval | undefined }) => approval?.status === 'pending'

/** Closes the pending approvals of a run, as its end does. */
const closeApprovals = (entries: Entries, run: string): Entries => entries.map((entry) => {
  if (entry.kind === 'budget' && isPending(entry) && entry.approval.run_id === run) {
    return { ...entry, approval: { ...entry.approval, status: 'closed' } }
  }
  if (entry.kind !== 'call' || entry.status !== 'awaiting_confirmation' || entry.still_waits) return entry
  if (entry.approval && entry.approval.run_id !== run) return entry
  return { ...entry, status: 'superseded', approval: settle(entry.approval, 'superseded') }
})

/** A message leaves waiting what waits; a question for a larger budget ends, since the next run has one of its own. */
export const keepWaiting = (entries: Entries): Entries => entries.map((entry) => {
  if (entry.kind === 'budget' && isPending(entry)) {
    return { ...entry, approval: { ...entry.approval, status: 'closed' } }
  }
  return entry.kind === 'call' && waits(entry) ? { ...entry, still_waits: true } : entry
})

/** @returns the transcript after one more event; only a text event has an effect when it is repeated */
export const applyEvent = (entries: Entries, event: Event, id: string): Entries => {
  switch (event.type) {
    case 'content': return addText(entries, event)
    case 'tool_call': case 'tool_result': return addCall(entries, event)
    case 'confirmation_required': return putApproval(entries, fromEvent(event))
    case 'compacted': return addCompaction(entries, event)
    case 'model_changed': return addMove(entries, event, id)
    case 'error': return addNotice(entries, event, id)
    case 'done': return event.final ? addEnd(closeApprovals(entries, event.run_id), event) : entries
  }
}

/** Every approval of the session by its id, newest first. */
export type Approvals = ReadonlyMap<string, Approval>

const callEntries = (calls: Schemas['MessageCall'][], approvals: Approval[]): CallEntry[] =>
  calls.map(({ tool_call_id: id, ...call }) => {
    const approval = approvals.find(({ tool_call_id: of }) => of === id)
    // Those of the live run come with its stream.
    const waiting = call.status === 'awaiting' ? { still_waits: true as const } : {}
    return { kind: 'call', id, ...call, ...waiting, approval: settle(approval, call.status) }
  })

const budgetEntries = (runs: Set<string>, approvals: Approval[], liveRun: string | undefined) => approvals
  .filter(({ kind, run_id: run }) => kind === 'budget' && run !== liveRun && runs.has(run))
  .map((approval) => ({
    at: approval.requested_at, entries: [{ kind: 'budget', id: approval.id, approval }] satisfies Entry[]
  }))

type Parts = readonly { at: string, entries: Entry[] }[]

/** @returns the stored conversation, oldest first, without the entries that the live run's stream repeats */
export const fromMessages = (messages: Schemas['ChatMessage'][], approvals: Approvals, endings: Parts,
  liveRun?: string): Entry[] => {
  const all = [...approvals.values()]
  const ordered = messages.toReversed()
  // A run that waited while others went on repeats only what came after them.
  const others = ordered.findLastIndex(({ run_id: run }) => run !== liveRun)
  const stored = ordered.map((message, index) => {
    const { id, run_id, role, text, attachments: files, compaction, tool_calls, feedback, created_at: at } = message
    if (role === 'user') return { at, entries: [{ kind: 'user', id, text, files }] satisfies Entry[] }
    if (run_id === liveRun && index > others) return { at, entries: [] }
    if (compaction) return { at, entries: [{ kind: 'compacted', id, text, ...compaction }] satisfies Entry[] }
    const texts = text === '' ? [] : [{ kind: 'text', id, text, rating: feedback?.rating ?? null } satisfies Entry]
    return { at, entries: [...texts, ...callEntries(tool_calls, all)] }
  })
  const runs = new Set(messages.map(({ run_id: run }) => run))
  const parts: Parts = [...stored, ...budgetEntries(runs, all, liveRun), ...endings]
  // Messages are in order; approvals without a call, and the ends of runs, are ordered by time.
  return parts.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).flatMap(({ entries }) => entries)
}

export const pendingOf = (entries: Entries): Approval[] => entries.flatMap((entry) =>
  (entry.kind === 'call' || entry.kind === 'budget') && entry.approval?.status === 'pending' ? [entry.approval] : [])

const waits = ({ effect, status, approval }: CallEntry): boolean => effect === 'write' &&
  (approval ? approval.status === 'pending' : status === 'awaiting_confirmation' || status === 'awaiting')

/** @returns whether the live run waits for a decision; what waits beside the conversation holds up nothing */
export const isHeldUp = (entries: Entries): boolean => entries.some((entry) => entry.kind === 'budget'
  ? isPending(entry)
  : entry.kind === 'call' && entry.approval?.status === 'pending' && !entry.still_waits)

/** @returns the writes of one turn that wait for a decision, those too that are not asked yet */
export const waitingWrites = (entries: Entries): CallEntry[] => {
  const waiting = entries.filter((entry): entry is CallEntry => entry.kind === 'call' && waits(entry))
  const run = waiting.find(({ approval }) => approval)?.approval?.run_id
  return waiting.filter(({ approval }) => !approval || approval.run_id === run)
}
