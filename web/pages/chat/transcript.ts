import type { Schemas } from '../../api/client'
import { fromEvent, type Approval } from '../../approvals/approval'

/** A call as the transcript shows it, whether it was streamed or read back. */
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
}

export type Entry =
  | { kind: 'user', id: string, text: string }
  | { kind: 'text', id: string, text: string }
  | { kind: 'budget', id: string, approval: Approval }
  | { kind: 'notice', id: string, code: string, text: string, fatal: boolean }
  | CallEntry

type Event = Schemas['ChatEvent']
type Entries = readonly Entry[]

const replace = (entries: Entries, id: string, change: (found: Entry | undefined) => Entry): Entries => {
  const index = entries.findIndex((entry) => entry.id === id)
  return index < 0 ? [...entries, change(undefined)] : entries.with(index, change(entries[index]))
}

const addText = (entries: Entries, { message_id: id, text, reset }: Schemas['ContentEvent']): Entries =>
  replace(entries, id, (found) =>
    ({ kind: 'text', id, text: found?.kind === 'text' && !reset ? found.text + text : text }))

const untold = { http_status: null, result: undefined, truncated: false, approval: undefined }

const changeCall = (entries: Entries, id: string, change: Partial<CallEntry>): Entries =>
  replace(entries, id, (found) => found?.kind === 'call'
    ? { ...found, ...change }
    : { kind: 'call', id, name: '', arguments: {}, effect: 'read', status: 'running', ...untold, ...change })

/** A call that runs or ended without running tells how its approval was decided, also in another tab. */
const decidedBy = (status: string): Approval['status'] | undefined => {
  if (status === 'awaiting_confirmation' || status === 'awaiting') return undefined
  if (status === 'rejected' || status === 'expired') return status
  return status === 'superseded' || status === 'cancelled' ? 'closed' : 'approved'
}

const settle = (approval: Approval | undefined, status: string): Approval | undefined => {
  const decided = decidedBy(status)
  return approval?.status === 'pending' && decided ? { ...approval, status: decided } : approval
}

const callOf = (entries: Entries, id: string): CallEntry | undefined =>
  entries.find((entry): entry is CallEntry => entry.id === id && entry.kind === 'call')

const addCall = (entries: Entries, event: Schemas['ToolCallEvent'] | Schemas['ToolResultEvent']): Entries => {
  const { type: _, tool_call_id: id, ...told } = event
  return changeCall(entries, id, { ...told, approval: settle(callOf(entries, id)?.approval, told.status) })
}

/** @returns the entries with the approval as it stands now */
export const putApproval = (entries: Entries, approval: Approval): Entries => {
  const { id, tool_call_id: call, arguments: args } = approval
  if (call === null) return replace(entries, id, () => ({ kind: 'budget', id, approval }))
  return changeCall(entries, call, { approval, arguments: args, name: approval.name, effect: 'write' })
}

const addNotice = (entries: Entries, { code, message, fatal }: Schemas['ErrorEvent'], id: string): Entries =>
  [...entries, { kind: 'notice', id, code, text: message, fatal }]

/** What closes with a run: questions nobody can answer any more. */
const end = (entries: Entries): Entries => entries.map((entry) => {
  if (entry.kind !== 'budget' && entry.kind !== 'call') return entry
  return entry.approval?.status === 'pending' ? { ...entry, approval: { ...entry.approval, status: 'closed' } } : entry
})

/** @returns the transcript after one more event of the stream; a known event changes nothing twice but text */
export const applyEvent = (entries: Entries, event: Event, id: string): Entries => {
  switch (event.type) {
    case 'content': return addText(entries, event)
    case 'tool_call': case 'tool_result': return addCall(entries, event)
    case 'confirmation_required': return putApproval(entries, fromEvent(event))
    case 'error': return addNotice(entries, event, id)
    case 'done': return event.final ? end(entries) : entries
  }
}

const callEntries = (calls: Schemas['MessageCall'][]): CallEntry[] =>
  calls.map(({ tool_call_id: id, ...call }) => ({ kind: 'call', id, approval: undefined, ...call }))

/** @returns the stored conversation, oldest first, without what the live run will tell again */
export const fromMessages = (messages: Schemas['ChatMessage'][], liveRun: string | undefined): Entry[] =>
  messages.toReversed().flatMap<Entry>(({ id, run_id, role, text, tool_calls }) => {
    if (role === 'user') return [{ kind: 'user', id, text }]
    if (run_id === liveRun) return []
    return [...(text === '' ? [] : [{ kind: 'text', id, text } as const]), ...callEntries(tool_calls)]
  })

/** @returns what was read, with what was seen here of its approvals: previews are told once and not kept */
export const keepApprovals = (seen: Entries, read: Entry[]): Entry[] => read.map((entry) => entry.kind === 'call'
  ? { ...entry, approval: settle(callOf(seen, entry.id)?.approval, entry.status) }
  : entry)

export const pendingOf = (entries: Entries): Approval[] => entries.flatMap((entry) =>
  (entry.kind === 'call' || entry.kind === 'budget') && entry.approval?.status === 'pending' ? [entry.approval] : [])
