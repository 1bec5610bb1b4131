import type { Test } from '../tap.js'
import { startPushSandbox, type PushSandbox } from 'steward-sandbox/push'
import { startSlackSandbox, type SlackMessage, type SlackSandbox } from 'steward-sandbox/slack'
import { simpleParser, type SmtpSandbox, startSmtpSandbox } from 'steward-sandbox/smtp'
import { ask, persist, type Voter } from './voters.js'

/** The providers of channels: they outlive every instance, so what they were sent does, too. */
export interface Providers { slack: SlackSandbox, smtp: SmtpSandbox, push: PushSandbox }

export const startProviders = async (t: Pick<Test, 'teardown'>) => {
  const slack = await startSlackSandbox('xoxb-sandbox', 'sandbox-signing-secret')
  const [smtp, push] = [await startSmtpSandbox(), await startPushSandbox()]
  for (const { close } of [slack, smtp, push]) t.teardown(close)
  const settings = {
    SLACK_BOT_TOKEN: 'xoxb-sandbox',
    SLACK_SIGNING_SECRET: 'sandbox-signing-secret',
    SLACK_API_URL: slack.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'steward@example.com',
    OUTBOUND_ALLOW: '127.0.0.1'
  }
  return { providers: { slack, smtp, push }, settings }
}

/** What a message leads to, in whichever channel: a question's id. */
export const questionIn = (text: string): string | undefined => /#\/inbox\/([0-9a-f-]{36})/.exec(text)?.[1]

export const buttonsOf = ({ blocks }: SlackMessage) => blocks.flatMap(({ elements }) => elements ?? [])

/** One person with all channels. */
export class Reached {
  #endpoint = ''
  readonly user: string
  readonly address: string

  constructor (readonly voter: Voter, private readonly url: string, private readonly providers: Providers) {
    this.user = `U0${voter.name.toUpperCase()}`
    this.address = `${voter.name.toLowerCase()}@example.com`
  }

  async #add (body: object): Promise<{ channel: { id: string }, code: string }> {
    const made = await ask<{ channel: { id: string }, code: string }>(
      this.url, 'POST', '/account/channels', this.voter.headers, { events: ['asked'], ...body })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return made.body
  }

  async hearEverywhere (): Promise<void> {
    const { code } = await this.#add({ kind: 'slack', name: 'Slack' })
    await this.#toSlack('commands', () => ({ team_id: 'T0SANDBOX', user_id: this.user, text: code }))
    const { channel: { id } } = await this.#add({ kind: 'email', name: 'Mail', address: this.address })
    const mailed = /: (\w{12})$/.exec(this.#mails().at(-1)?.headers.subject ?? '')?.[1]
    await ask(this.url, 'POST', `/account/channels/${id}/confirm`, this.voter.headers, { code: mailed })
    const { body } = await ask<{ push_key: string }>(this.url, 'GET', '/account/channels', this.voter.headers)
    const { endpoint, keys } = this.providers.push.subscribe(body.push_key)
    this.#endpoint = endpoint
    await this.#add({ kind: 'push', name: 'Phone', address: endpoint, keys })
  }

  /** As Slack sends it: signed afresh each time that the person does it. */
  async #toSlack (path: string, form: () => Record<string, string>): Promise<number> {
    const answer = await persist(() => {
      const { headers, payload } = this.providers.slack.sign(form())
      return fetch(`${this.url}/slack/${path}`, { method: 'POST', headers, body: payload })
    })
    await answer.body?.cancel()
    return answer.status
  }

  #mails () {
    return this.providers.smtp.mails.filter(({ to }) => to.includes(this.address)).map(({ data }) => simpleParser(data))
  }

  /** The cards of a question in Slack: there should be one. */
  cards (question: string): SlackMessage[] {
    return [...this.providers.slack.messages.values()].filter((card) =>
      card.channel === this.user.replace(/^U/, 'D') && questionIn(JSON.stringify(card.blocks)) === question)
  }

  /** The mails about it, of which a reader shows those with the same Message-ID once. */
  mails (question: string) {
    return this.#mails().filter(({ text }) => questionIn(text) === question)
  }

  /** What the phone was pushed about it: the last one with a tag replaces the others. */
  pushed (question: string): { title: string, url: string, tag: string }[] {
    return this.providers.push.messages.filter(({ endpoint }) => endpoint === this.#endpoint)
      .map(({ text }) => JSON.parse(text) as { title: string, url: string, tag: string })
      .filter(({ url }) => questionIn(url) === question)
  }

  /** @returns what has not arrived yet */
  missing (question: string): string[] {
    const arrived = { slack: this.cards(question), mail: this.mails(question), push: this.pushed(question) }
    return Object.entries(arrived).flatMap(([kind, all]) => all.length === 0 ? [`${kind} of ${this.voter.name}`] : [])
  }

  /** Presses Approve where the card still has it. @returns what Slack was answered */
  async press (question: string): Promise<number[]> {
    const card = this.cards(question).at(-1)
    if (!card || !buttonsOf(card).some(({ action_id: id }) => id === 'approve')) return []
    const shown = structuredClone(card)
    return [await this.#toSlack('interactions', () => this.providers.slack.click(this.user, shown, 'approve'))]
  }

  /** Follows a link as the browser does: the page asks for the question, and its person approves what it shows. */
  async follow (link: string): Promise<number[]> {
    const id = questionIn(link)
    if (id === undefined) return []
    const { headers } = this.voter
    const shown = await ask<{ session_id: string, input_digest: string }>(
      this.url, 'GET', `/api/v1/agent/confirmations/${id}`, headers)
    if (shown.status !== 200) return [shown.status]
    const { session_id, input_digest } = shown.body
    const decision = { session_id, confirmation_id: id, input_digest, approved: true }
    return [(await ask(this.url, 'POST', '/api/v1/agent/confirm', headers, decision)).status]
  }

  /** Decides by everything at once. @returns the statuses of all */
  async decide (question: string): Promise<number[]> {
    const page = `#/inbox/${question}`
    const answers = await Promise.all([
      this.press(question),
      this.follow(page),
      this.follow(this.mails(question).at(-1)?.text ?? ''),
      this.follow(this.pushed(question).at(-1)?.url ?? '')
    ])
    return answers.flat()
  }
}
