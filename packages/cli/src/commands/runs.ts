import { body, itemsOf, type Schemas } from 'steward-client'
import { fieldsOf, type Command, type Input } from '../command.js'
import { exits } from '../exits.js'
import { oneLine, when } from '../text.js'

type Conversation = Schemas['FoundChatSession']
type Run = Schemas['Run']

/** Of a screen: who wants more asks for it. */
const usual = 20

const list = async (input: Input): Promise<number> => {
  const { context: { terminal, connection }, results } = input
  const most = input.count('limit') ?? usual
  const load = (cursor: string | undefined) => body(connection.steward.api.GET('/api/v1/agent/sessions', {
    params: { query: { limit: Math.min(most, 100), ...(cursor !== undefined && { cursor }) } }
  }))
  const found: Conversation[] = []
  for await (const conversation of itemsOf(load)) {
    if (found.push(conversation) >= most) break
  }
  results.list(found, [
    { title: 'RUN', of: ({ live_run: run }) => run?.run_id },
    { title: 'STATUS', of: ({ live_run: run }) => run?.status ?? 'ended' },
    { title: 'WAITING', of: ({ pending_confirmations: pending }) => pending },
    { title: 'ACTIVE', of: ({ last_activity_at: at }) => at, shown: ({ last_activity_at: at }) => when(at) },
    { title: 'SESSION', of: ({ id }) => id },
    { title: 'TITLE', of: ({ title }) => title }
  ], 'There are no conversations.')
  if (found.length === most) terminal.note(`These are the last ${most}; --limit shows more.`)
  return exits.done
}

const show = (input: Input, run: Run): void => {
  const { terminal, results } = input
  if (results.isJson) return results.json(run)
  const { id, session_id, status, usage, pending_confirmations: waiting, error, created_at } = run
  terminal.print([
    `Run:           ${id}`,
    `Session:       ${session_id}`,
    `Status:        ${status}${error === null ? '' : `, ${oneLine(error.message)}`}`,
    `Began:         ${terminal.isScreen ? when(created_at) : created_at}`,
    `Tokens:        ${usage.input_tokens} in, ${usage.output_tokens} out`,
    ...(usage.cost === null ? [] : [`Cost:          ${usage.cost.amount} ${usage.cost.currency}`]),
    ...waiting.map((one) => `Waits for:     steward approve ${one}`)
  ])
}

export const runs: Command = {
  words: ['[RUN]'],
  summary: 'lists your conversations with the assistant and the run under way in each, or shows one run',
  options: {
    limit: { value: 'COUNT', summary: `so many conversations, not ${usual}` },
    cancel: { summary: 'stops RUN' }
  },
  fields: [
    ...fieldsOf<Conversation>()('id', 'title', 'title_source', 'created_at', 'last_activity_at', 'live_run',
      'pending_confirmations', 'pinned'),
    ...fieldsOf<Run>()('session_id', 'status', 'reason', 'step', 'error', 'usage', 'cancel_requested', 'finished_at',
      'stream_url')
  ],
  run: async (input) => {
    const { words: [run_id], context: { connection: { steward: { api } } } } = input
    if (run_id === undefined) return list(input)
    const params = { path: { run_id } }
    show(input, input.is('cancel')
      ? await body(api.POST('/api/v1/agent/runs/{run_id}/cancel', { params }))
      : await body(api.GET('/api/v1/agent/runs/{run_id}', { params })))
    return exits.done
  }
}
