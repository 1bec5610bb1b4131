import { api, body, type Schemas } from '../../api/client'
import type { Entry } from './transcript'
import { say } from '../../texts/say'

type Message = Schemas['ChatMessage']

/** What is shown of a run's end, and when it was. */
export interface Ending { at: string, entries: Entry[] }

/** Runs whose end is looked up; of more, those before end as their last message does. */
const most = 10

/** @returns the runs whose newest message is no answer that came to its end */
const doubtful = (messages: readonly Message[], live: string | undefined): string[] => {
  const last = new Map<string, Message>()
  // Newest first.
  for (const message of messages) if (!last.has(message.run_id)) last.set(message.run_id, message)
  return [...last.values()]
    .filter(({ run_id: run, role, stop_reason: reason }) => run !== live && (role === 'user' || reason !== 'end_turn'))
    .map(({ run_id: run }) => run)
}

/** @returns how an ended run ended; nothing of one that was completed, or replaced by the next message */
const entriesOf = ({ id, status, reason, error }: Schemas['Run']): Entry[] => {
  if (status === 'failed') {
    const { code = 'failed', message: text = say('chat.failed') } = error ?? {}
    return [{ kind: 'notice', id: `${id}-end`, code, text, fatal: true }]
  }
  return status === 'cancelled' && reason !== 'superseded' ? [{ kind: 'stopped', id: `${id}-end` }] : []
}

/** Reads how the runs ended that have no whole answer: errors and stops are in no message. */
export const readEndings = async (messages: readonly Message[], live: string | undefined): Promise<Ending[]> => {
  const runs = doubtful(messages, live).slice(0, most)
  const read = await Promise.all(runs.map((run_id) =>
    body(api.GET('/api/v1/agent/runs/{run_id}', { params: { path: { run_id } } })).catch(() => undefined)))
  return read.flatMap((run) => run?.finished_at ? [{ at: run.finished_at, entries: entriesOf(run) }] : [])
}
