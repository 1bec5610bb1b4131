import type { Command } from '../command.js'
import { chooseServer } from '../connect.js'
import { CredentialsFile } from '../credentials.js'
import { Ended, exits } from '../exits.js'

export const servers: Command = {
  words: ['[SERVER]'],
  summary: 'lists the servers that are signed in to; makes SERVER the default',
  options: {},
  fields: ['server', 'default'],
  run: ({ terminal, words: [chosen], results }) => {
    const file = new CredentialsFile(terminal.env)
    if (chosen !== undefined) {
      const server = chooseServer({ server: chosen }, file, terminal.env)
      if (!file.read().servers[server]) throw new Ended(exits.signedOut, `Not signed in to ${server}`)
      file.setDefault(server)
    }
    const { default: first, servers: known } = file.read()
    results.list(Object.keys(known).map((server) => ({ server, default: server === first })), [
      { title: 'SERVER', of: ({ server }) => server },
      { title: 'DEFAULT', of: ({ default: isFirst }) => isFirst ? 'default' : '' }
    ], 'Signed in nowhere: steward login --server URL')
    return exits.done
  }
}
