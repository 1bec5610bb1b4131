import type { ButtonValue } from '../../../../schemas/channels/slack.js'
import { describeMissing } from '../../../../lib/tools/renderable.js'
import type { Message } from './message.js'

const maxHeader = 150
const maxSection = 2_900

const cut = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed()

/** Plain text: nothing in it is a link, a mention or a format. */
const plain = (text: string, max: number) => ({ type: 'plain_text' as const, text: cut(text, max), emoji: false })

const button = (id: string, label: string, more: object) =>
  ({ type: 'button' as const, action_id: id, text: plain(label, 75), ...more })

const textOf = ({ lines }: Message): string => lines.join('\n')

/** What of the plan the card does not show; what the card itself would cut counts, too. */
const missingIn = (message: Message): string | undefined => {
  const missing = message.question?.not_shown.find(({ surface }) => surface === 'slack')?.missing
  if (missing) return describeMissing(missing)
  const isCut = message.title.length > maxHeader || textOf(message).length > maxSection
  return isCut ? describeMissing(['length']) : undefined
}

/**
 * Whoever may not approve has the link alone; what is signed is approved where a passkey can sign, and what the card
 * cannot show whole where it is shown.
 */
const buttonsOf = (message: Message, workspaceId: string) => {
  const { url, question } = message
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
  if (missingIn(message) !== undefined) {
    return [button('open', 'Open to read and decide', { style: 'primary', url }), reject]
  }
  return [
    button('approve', 'Approve', { style: 'primary', value: text }),
    reject,
    button('open', 'Open', { url })
  ]
}

/** @returns a message in Slack's blocks; buttons to decide are there only while the person may */
export const cardOf = (message: Message, workspaceId: string) => {
  const missing = message.question?.may_approve === true ? missingIn(message) : undefined
  return toCard(message, workspaceId, missing)
}

const toCard = (message: Message, workspaceId: string, missing: string | undefined) => ({
  text: cut(message.title.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' }[character] ?? '&gt;')), 500),
  blocks: [
    { type: 'header' as const, text: plain(message.title, maxHeader) },
    ...(message.lines.length > 0
      ? [{ type: 'section' as const, text: plain(textOf(message), maxSection) }]
      : []),
    ...(missing === undefined
      ? []
      : [{ type: 'section' as const, text: plain(`This card does not show ${missing}.`, maxSection) }]),
    { type: 'actions' as const, elements: buttonsOf(message, workspaceId) }
  ]
})
