import { body, createSteward } from 'steward-client'
import type { Command } from '../command.js'
import { approves, chooseServer, fetchInTime, isUnreadable } from '../connect.js'
import { CredentialsFile } from '../credentials.js'
import { exits } from '../exits.js'
import { signIn } from '../sign-in.js'
import { oneLine } from '../text.js'

export const login: Command = {
  words: [],
  summary: 'signs in by a page in any browser; with --token keeps a token (- reads it from the input)',
  options: {
    'client-id': { value: 'ID', summary: 'as this client of the server' },
    scope: { value: 'SCOPES', summary: 'only these' }
  },
  run: async (input) => {
    const { terminal } = input
    const file = new CredentialsFile(terminal.env)
    const server = chooseServer(input.server, file, terminal.env)
    const token = input.text('token')
    const given = token === '-' ? await terminal.readInput() : token
    const credentials = given === undefined
      ? await signIn(terminal, server, { clientId: input.text('client-id'), scope: input.text('scope') })
      : { token: given }
    const steward = createSteward({ baseUrl: server, token: credentials.token, fetch: fetchInTime })
    const me = await body(steward.api.GET('/account/me')).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error
    })
    file.keep(server, credentials)
    terminal.note(`Signed in to ${server}${me ? ` as ${oneLine(me.user.name)}` : ''}.`)
    if (me && approves(me)) terminal.note('It may approve in your name.')
    else if (me) {
      terminal.note(['It reads, chats and proposes, and cannot approve in your name.',
        `Approve in the browser: ${server}/#/inbox`])
    }
    return exits.done
  }
}
