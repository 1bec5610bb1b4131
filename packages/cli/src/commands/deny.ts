import type { Command } from '../command.js'
import { decideUnseen, outcomeExits, readApproval } from '../decide.js'
import { UsageError } from '../exits.js'

export const deny: Command = {
  words: ['ID'],
  summary: 'rejects an approval',
  options: {
    reason: { value: 'TEXT', summary: 'why, which the assistant reads; - reads it from the input' },
    changes: { value: 'TEXT', summary: 'what to propose instead; - reads it from the input' },
    digest: { value: 'DIGEST', summary: 'of the plan as it was read: rejects no other' }
  },
  run: async (input) => {
    const { context, words: [id = ''] } = input
    const [reason, changes] = [input.text('reason'), input.text('changes')]
    if (reason === '-' && changes === '-') throw new UsageError('The input is one text: give it once')
    const read = async (text: string) => text === '-' ? context.terminal.readInput() : text
    const approval = await readApproval(context.connection, id)
    return outcomeExits[await decideUnseen(context, approval, input.text('digest') ?? approval.input_digest, {
      approved: false,
      ...(reason !== undefined && { reason: await read(reason) }),
      ...(changes !== undefined && { changes: await read(changes) })
    })]
  }
}
