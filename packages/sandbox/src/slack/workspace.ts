import { createHmac } from 'node:crypto'
import type { Outcome, WireRequest } from '../wire.js'

type Fields = Record<string, unknown>

export interface SlackButton {
  action_id: string
  text?: { text: string }
  value?: string
  url?: string
  style?: string
}

export interface SlackBlock { type: string, text?: { text: string }, elements?: SlackButton[] }

export interface SlackMessage extends Fields {
  channel: string
  ts: string
  text: string
  blocks: SlackBlock[]
}

export interface Signed { headers: Record<string, string>, payload: string }

export const team = 'T0SANDBOX'

const json = (body: Fields, status = 200, headers: Record<string, string> = {}): Outcome =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

const readForm = ({ body, headers }: WireRequest): Fields => {
  if (headers['content-type']?.startsWith('application/json')) return Object(JSON.parse(body.toString()))
  const form = Object.fromEntries(new URLSearchParams(body.toString()))
  const parsed = ['blocks', 'metadata'].flatMap((name): [string, unknown][] =>
    form[name] === undefined ? [] : [[name, JSON.parse(form[name])]])
  return { ...form, ...Object.fromEntries(parsed) }
}

/** A message to a person is in the channel between them and the app. */
export const channelOf = (user: string): string => user.replace(/^U/, 'D')

/** Slack as far as an app sees it: the Web API, and what it sends when people click or give commands. */
export class SlackWorkspace {
  /** Cards by their time, as they are now. */
  readonly messages = new Map<string, SlackMessage>()
  readonly whispers: { channel: string, user: string, text: string }[] = []
  /** Calls that arrived, by method. */
  readonly calls: string[] = []
  /** What the next calls are answered: an error's code, or `ratelimited`; undefined = they work. */
  failure: string | undefined
  /** How many of the next cards are taken, and the answer is lost. */
  lost = 0
  /** What the app may do: what it was installed with. */
  readonly scopes = new Set(['chat:write', 'commands', 'im:history', 'im:write'])
  #micros = 0

  readonly #methods: Partial<Record<string, { needs: string, answer: (form: Fields) => Outcome }>> = {
    'chat.postMessage': { needs: 'chat:write', answer: (form) => this.#post(form) },
    'chat.update': { needs: 'chat:write', answer: (form) => this.#update(form) },
    'chat.postEphemeral': { needs: 'chat:write', answer: (form) => this.#whisper(form) },
    'conversations.open': { needs: 'im:write', answer: ({ users }) => this.#open(String(users)) },
    'conversations.history': { needs: 'im:history', answer: (form) => this.#history(form) }
  }

  constructor (private readonly token: string, private readonly signingSecret: string) {}

  /** @returns the time as Slack has it: the id of a message in its channel */
  #now (): string {
    this.#micros = Math.max(this.#micros + 1, Date.now() * 1_000)
    return `${Math.floor(this.#micros / 1_000_000)}.${String(this.#micros % 1_000_000).padStart(6, '0')}`
  }

  /** The Web API. */
  answer (request: WireRequest): Outcome {
    const method = request.url.split('?')[0]?.split('/').at(-1) ?? ''
    this.calls.push(method)
    if (request.headers.authorization !== `Bearer ${this.token}`) return json({ ok: false, error: 'invalid_auth' })
    if (this.failure === 'ratelimited') return json({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '7' })
    if (this.failure !== undefined) return json({ ok: false, error: this.failure })
    const form = readForm(request)
    const known = this.#methods[method]
    if (!known) return json({ ok: false, error: 'unknown_method' })
    if (this.scopes.has(known.needs)) return known.answer(form)
    return json({ ok: false, error: 'missing_scope', needed: known.needs, provided: [...this.scopes].join() })
  }

  /** @returns a form with the headers that Slack signs it with */
  sign (form: Record<string, string>, at = Date.now(), secret = this.signingSecret): Signed {
    const payload = new URLSearchParams(form).toString()
    const timestamp = String(Math.floor(at / 1_000))
    const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${payload}`).digest('hex')
    return {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${mac}`
      },
      payload
    }
  }

  /** @returns a click of a person on a button of a card, as Slack sends it */
  click (user: string, { channel, ts, blocks }: SlackMessage, actionId: string): Record<string, string> {
    const actions = blocks.flatMap(({ elements }) => elements ?? []).filter(({ action_id: id }) => id === actionId)
    return {
      payload: JSON.stringify({
        type: 'block_actions',
        team: { id: team },
        user: { id: user, team_id: team },
        container: { type: 'message', channel_id: channel, message_ts: ts },
        actions
      })
    }
  }

  #post (form: Fields): Outcome {
    const channel = channelOf(String(form.channel))
    const ts = this.#now()
    const message = { ...form, channel, ts } as SlackMessage // A form of chat.postMessage has the rest.
    this.messages.set(ts, message)
    if (this.lost > 0) {
      this.lost--
      return { silence: 'drop' }
    }
    return json({ ok: true, channel, ts, message })
  }

  #open (users: string): Outcome {
    return json({ ok: true, no_op: true, already_open: true, channel: { id: channelOf(users) } })
  }

  /** The newest first, a page at a time; metadata only to whoever asks for it. */
  #history ({ channel, oldest, limit, cursor = '0', include_all_metadata: withMetadata }: Fields): Outcome {
    const most = Math.min(Number(limit ?? 100), 999)
    const from = Number(cursor)
    const found = [...this.messages.values()].reverse()
      .filter((one) => one.channel === channel && Number(one.ts) > Number(oldest ?? 0))
    const shown = found.slice(from, from + most).map(({ channel: _, metadata, ...message }) =>
      ({ type: 'message', ...message, ...(metadata !== undefined && String(withMetadata) === 'true' && { metadata }) }))
    const hasMore = from + most < found.length
    return json({
      ok: true,
      messages: shown,
      has_more: hasMore,
      ...(hasMore && { response_metadata: { next_cursor: String(from + most) } })
    })
  }

  #update (form: Fields): Outcome {
    const message = this.messages.get(String(form.ts))
    if (!message || message.channel !== form.channel) return json({ ok: false, error: 'message_not_found' })
    Object.assign(message, form)
    return json({ ok: true, channel: message.channel, ts: message.ts, text: message.text })
  }

  #whisper ({ channel, user, text }: Fields): Outcome {
    this.whispers.push({ channel: String(channel), user: String(user), text: String(text) })
    return json({ ok: true, message_ts: this.#now() })
  }
}
