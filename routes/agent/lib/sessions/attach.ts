import { listAttachments } from '../../../../db/agent/attachments.js'
import { findOwnModel } from '../../../../db/agent/sessions.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ChatRequest } from '../../../../schemas/agent/chat.js'
import type { AttachmentBlock } from '../window/attachment-block.js'
import { AttachmentNotFound, MessageTooLarge } from '../errors.js'
import { windowOf } from '../window/weigh-context.js'
import type { Deps } from '../run/run-state.js'

/** What of the model's window the files of one message may take. */
const part = 0.3

const pointer = '/attachment_ids'

type Message = Pick<ChatRequest, 'attachment_ids' | 'session_id' | 'model'>

/** @returns the model that will be asked: that of the session, which the message may choose where it begins one */
const modelOf = async ({ db, llm }: Deps, { workspace_id, user_id }: Principal, { session_id, model }: Message):
Promise<string> => {
  const own = session_id === undefined ? model : await findOwnModel(db, workspace_id, user_id, session_id)
  return own ?? llm.modelOf(workspace_id)
}

/**
 * @returns the blocks of a message's files, in the order that was asked for
 * @throws attachment_not_found, message_too_large
 */
export const attach = async (deps: Deps, principal: Principal, message: Message): Promise<AttachmentBlock[]> => {
  const { workspace_id, user_id } = principal
  const ids = message.attachment_ids ?? []
  if (ids.length === 0) return []
  const found = new Map((await listAttachments(deps.db, workspace_id, user_id, ids)).map((row) => [row.id, row]))
  const blocks = ids.map((id, index) => {
    const row = found.get(id)
    if (row) return { type: 'attachment' as const, ...row }
    const error = { pointer: `${pointer}/${index}`, code: 'attachment_not_found', message: 'is no file of yours' }
    throw AttachmentNotFound(undefined, { errors: [error] })
  })
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0)
  const most = Math.floor(windowOf(deps, principal.workspace_id, await modelOf(deps, principal, message)) * part)
  if (tokens <= most) return blocks
  const complaint = `weigh some ${tokens} tokens together, and may weigh ${most}`
  throw MessageTooLarge(`The files ${complaint}`,
    { errors: [{ pointer, code: 'message_too_large', message: complaint }] })
}
