import type { AttachmentRow } from '../../../../db/agent/attachments.js'
import { textIn } from '../../../../schemas/unknown.js'

/** A file in a stored message: its bytes are read when it is sent. */
export type AttachmentBlock = { type: 'attachment' } & AttachmentRow

/** @returns the block if it is a file, which the API does not know: what is sent stands for it */
export const fileOf = (block: unknown): AttachmentBlock | undefined =>
  // Nothing else is stored under this type.
  textIn(block, 'type') === 'attachment' ? block as AttachmentBlock : undefined
