import type { Command } from '../command.js'
import { chooseServer } from '../connect.js'
import { CredentialsFile } from '../credentials.js'
import { Ended, exits } from '../exits.js'
import { revoke } from '../oauth.js'

/** A token that a person has made stays valid until they revoke it. */
export const logout: Command = {
  words: [],
  summary: 'ends the sign-in, here and at the server',
  options: {},
  run: async ({ terminal, server: options }) => {
    const file = new CredentialsFile(terminal.env)
    const server = chooseServer(options, file, terminal.env)
    const stored = file.read().servers[server]
    if (!stored) throw new Ended(exits.signedOut, `Not signed in to ${server}`)
    file.forget(server)
    await revoke(stored).catch(() => terminal.note('Steward did not answer: end the sign-in in its settings, too.'))
    terminal.note(`Signed out of ${server}.`)
    if (stored.token_endpoint === undefined) {
      terminal.note('The token itself is valid until it is revoked in the settings.')
    }
    return exits.done
  }
}
