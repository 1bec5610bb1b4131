import type { Command } from '../command.js'
import { decide, decideUnseen, outcomeExits, readApproval } from '../decide.js'
import { UsageError } from '../exits.js'

export const approve: Command = {
  words: ['ID'],
  summary: 'shows the whole plan of an approval, and asks you',
  options: { digest: { value: 'DIGEST', summary: 'of the plan as it was read: approves without asking' } },
  run: async (input) => {
    const { context, words: [id = ''] } = input
    const digest = input.text('digest')
    // Without a person, and without the digest of what was read, nobody would know what is approved.
    if (digest === undefined && !context.terminal.isInteractive) {
      throw new UsageError('No person is at this terminal: give the --digest of what was read')
    }
    const approval = await readApproval(context.connection, id)
    return outcomeExits[digest === undefined
      ? await decide(context, approval)
      : await decideUnseen(context, approval, digest, { approved: true })]
  }
}
