import type { Schemas } from 'steward-client'
import { fieldsOf, type Command } from '../command.js'
import { approves } from '../connect.js'
import { exits } from '../exits.js'
import { oneLine } from '../text.js'

type Shown = Schemas['Me'] & { server: string }

export const whoami: Command = {
  words: [],
  summary: 'says who the credentials are, and whether they approve',
  options: {},
  fields: fieldsOf<Shown>()('server', 'user', 'workspace', 'via', 'assistant', 'scopes', 'role', 'rights', 'groups'),
  run: async ({ context: { terminal, connection: { server, me } }, results }) => {
    const answer = await me()
    if (results.isJson) results.json({ server, ...answer })
    else {
      const right = approves(answer) ? 'may approve' : 'cannot approve'
      terminal.print(`${oneLine(answer.user.name)}, ${answer.role}, at ${server}, by ${answer.via}, ${right}`)
    }
    return exits.done
  }
}
