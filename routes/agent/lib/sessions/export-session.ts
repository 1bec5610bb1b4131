import type { FastifyInstance } from 'fastify'
import { listVisibleAfter } from '../../../../db/agent/messages.js'
import type { ChatSessionDetail } from '../../../../schemas/agent/sessions.js'
import { showMessages } from './show-messages.js'

type Deps = Pick<FastifyInstance, 'db'>
type Shown = Awaited<ReturnType<typeof showMessages>>[number]
type Session = Pick<ChatSessionDetail, 'id' | 'title' | 'created_at' | 'model'>

/** Messages read at once: results are up to 100 KB each, and the whole session is never in memory. */
const pageSize = 20

const pages = async function * ({ db }: Deps, workspaceId: string, id: string): AsyncGenerator<Shown[]> {
  for (let after = -1; ;) {
    const rows = await listVisibleAfter(db, workspaceId, id, after, pageSize)
    if (rows.length > 0) yield showMessages({ db }, workspaceId, id, rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = last.seq
  }
}

const runsOf = (text: string, mark: RegExp): number =>
  Math.max(0, ...(text.match(mark) ?? []).map((run) => run.length))

/** A block whose fence is longer than any in its text, so that nothing in it ends it. */
const fenced = (text: string, language: string): string => {
  const fence = '`'.repeat(Math.max(3, runsOf(text, /`+/g) + 1))
  return `${fence}${language}\n${text}\n${fence}\n`
}

const json = (value: unknown): string => fenced(JSON.stringify(value, null, 2), 'json')

const callText = ({ name, effect, status, arguments: input, result }: Shown['tool_calls'][number]): string =>
  `\n### ${name} (${effect}, ${status})\n\n${json(input)}` + (result === null ? '' : `\nResult:\n\n${json(result)}`)

const time = (at: Date | string): string => new Date(at).toISOString()

const fileText = ({ name, size }: Shown['attachments'][number]): string =>
  `\nFile: ${name.replace(/\s+/g, ' ')} (${size} bytes)\n`

const messageText = ({ role, created_at, text, attachments, tool_calls }: Shown): string =>
  `\n## ${role === 'user' ? 'You' : 'Assistant'}, ${time(created_at)}\n` +
  attachments.map(fileText).join('') + (text === '' ? '' : `\n${text.trimEnd()}\n`) + tool_calls.map(callText).join('')

/** @returns the session as Markdown, in parts; texts stay as they were written */
export const exportMarkdown = async function * (deps: Deps, workspaceId: string, session: Session) {
  const title = (session.title ?? 'Chat').replace(/\s+/g, ' ')
  yield `# ${title}\n\nSession ${session.id}, ${time(session.created_at)}, ${session.model}\n`
  for await (const messages of pages(deps, workspaceId, session.id)) yield messages.map(messageText).join('')
}

/** @returns one JSON object in parts: `session`, and `messages` as their list shows them, but oldest first */
export const exportJson = async function * (deps: Deps, workspaceId: string, session: Session) {
  yield `{"session":${JSON.stringify(session)},"messages":[`
  let separator = ''
  for await (const messages of pages(deps, workspaceId, session.id)) {
    yield separator + messages.map((message) => JSON.stringify(message)).join()
    separator = ','
  }
  yield ']}'
}
