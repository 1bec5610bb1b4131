import { escapeHtml, keyOf, noPage, page, readerOf } from '../keyed-page.js'
import type { Outcome, WireRequest } from '../wire.js'
import {
  channelOf, team, type SlackBlock, type SlackButton, type SlackMessage, type SlackWorkspace
} from './workspace.js'

/** Where the app is, which is known once it listens. */
export interface SlackApp { origin: () => string }

const buttonOf = ({ action_id: id, text, url, style = '' }: SlackButton, ts: string, path: string): string => {
  const label = escapeHtml(text?.text ?? id)
  if (url !== undefined) return `<a class="button" href="${escapeHtml(url)}">${label}</a>`
  return `<form method="post" action="${path}/click"><input type="hidden" name="ts" value="${escapeHtml(ts)}">` +
    `<button class="${escapeHtml(style)}" name="action" value="${escapeHtml(id)}">${label}</button></form>`
}

const blockOf = ({ type, text, elements = [] }: SlackBlock, ts: string, path: string): string => {
  if (type === 'actions') return elements.map((element) => buttonOf(element, ts, path)).join('')
  const tag = type === 'header' ? 'h2' : 'pre'
  return `<${tag}>${escapeHtml(text?.text ?? '')}</${tag}>`
}

const cardOf = ({ blocks, ts }: SlackMessage, path: string): string =>
  `<article>${blocks.map((block) => blockOf(block, ts, path)).join('')}</article>`

const mostShown = 50

/** What one person of the workspace sees, and does. */
export class SlackPeople {
  constructor (private readonly workspace: SlackWorkspace, private readonly secret: string,
    private readonly app: SlackApp) {}

  pathOf (user: string): string {
    return `/people/${keyOf(this.secret, user)}`
  }

  async answer ({ method, url, body }: WireRequest): Promise<Outcome> {
    const [, , key = '', action = ''] = url.split('?')[0]?.split('/') ?? []
    const user = readerOf(this.secret, key)
    if (user === undefined) return noPage()
    if (method !== 'POST') return this.#show(user)
    const form = new URLSearchParams(body.toString())
    if (action === 'click') await this.#click(user, form)
    if (action === 'say') await this.#say(user, form.get('text') ?? '')
    return { status: 303, headers: { location: this.pathOf(user) }, body: '' }
  }

  #show (user: string): Outcome {
    const path = this.pathOf(user)
    const cards = [...this.workspace.messages.values()].filter(({ channel }) => channel === channelOf(user))
    const notices = this.workspace.whispers.filter((whisper) => whisper.user === user)
    const head = '<p class="note">This is not Slack: the sandbox plays it, and forgets it at the next start.</p>' +
      `<form method="post" action="${path}/say"><label>Message to Steward <input name="text" required ` +
      'placeholder="/steward CODE" autocomplete="off"></label><button>Send</button></form>'
    const last = notices.at(-1)
    const notice = last ? `<p role="status"><strong>Only you see this:</strong> ${escapeHtml(last.text)}</p>` : ''
    const shown = cards.slice(-mostShown).reverse().map((card) => cardOf(card, path)).join('')
    return page('Slack, in the sandbox', head, notice + (shown || '<p>No card has arrived yet.</p>'))
  }

  async #click (user: string, form: URLSearchParams): Promise<void> {
    const message = this.workspace.messages.get(form.get('ts') ?? '')
    if (message?.channel !== channelOf(user)) return
    await this.#send('interactions', this.workspace.click(user, message, form.get('action') ?? ''))
  }

  async #say (user: string, text: string): Promise<void> {
    const [command = '', ...rest] = text.trim().split(/\s+/)
    const hears = command === '/steward'
    const answer = hears
      ? await this.#send('commands', { command, team_id: team, user_id: user, text: rest.join(' ') })
      : 'Say /steward and the code that the settings of Steward show.'
    if (answer !== '') this.workspace.whispers.push({ channel: channelOf(user), user, text: answer })
  }

  /** @returns what the app answers in words */
  async #send (path: string, form: Record<string, string>): Promise<string> {
    const { headers, payload } = this.workspace.sign(form)
    const sent = { method: 'POST', headers, body: payload, signal: AbortSignal.timeout(10_000) }
    const answer = await fetch(`${this.app.origin()}/slack/${path}`, sent).catch(() => undefined)
    if (!answer?.ok) return 'Steward did not answer.'
    // A command is answered with a text, a click with none.
    const { text = '' } = await answer.json() as { text?: string }
    return text
  }
}
