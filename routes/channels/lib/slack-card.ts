import type { ButtonValue } from '../../../schemas/channels/slack.js'
import type { Message } from './message.js'

const maxHeader = 150
const maxSection = 2_900

const cut = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed()

/** Plain text: nothing in it is a link, a mention or a format. */
const plain = (text: string, max: number) => ({ type: 'plain_text' as const, text: cut(text, max), emoji: false })

const button = (id: string, label: string, more: object) =>
  ({ type: 'button' as const, action_id: id, text: plain(label, 75), ...more })

/** Whoever may not approve has the link alone; what is signed is approved where a passkey can sign. */
const buttonsOf = ({ url, question }: Message, workspaceId: string) => {
  if (!question?.may_approve) return [button('open', 'Open', { url })]
  const value: ButtonValue = {
    workspace_id: workspaceId,
    session_id: question.session_id,
    confirmation_id: question.id,
    input_digest: question.input_digest
  }
  const text = JSON.stringify(value)
  const reject = button('reject', 'Reject', { style: 'danger', value: text })
  if (question.requirement.signed === true) return [button('open', 'Open to sign', { style: 'primary', url }), reject]
  return [
    button('approve', 'Approve', { style: 'primary', value: text }),
    reject,
    button('open', 'Open', { url })
  ]
}

/** @returns a message in Slack's blocks; buttons to decide are there only while the person may */
export const cardOf = (message: Message, workspaceId: string) => ({
  text: cut(message.title.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' }[character] ?? '&gt;')), 500),
  blocks: [
    { type: 'header' as const, text: plain(message.title, maxHeader) },
    ...(message.lines.length > 0
      ? [{ type: 'section' as const, text: plain(message.lines.join('\n'), maxSection) }]
      : []),
    { type: 'actions' as const, elements: buttonsOf(message, workspaceId) }
  ]
})
