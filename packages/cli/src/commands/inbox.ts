import { allOf, body, itemsOf, type Schemas } from 'steward-client'
import { cardOf } from '../card.js'
import { fieldsOf, type Command, type Input } from '../command.js'
import { readApproval } from '../decide.js'
import { exits } from '../exits.js'
import { when } from '../text.js'

const list = async ({ context: { connection }, results }: Input): Promise<number> => {
  const load = (cursor: string | undefined) => body(connection.steward.api.GET('/api/v1/agent/confirmations', {
    params: { query: { view: 'to_decide', limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  results.list(await allOf(itemsOf(load)), [
    { title: 'ID', of: ({ id }) => id },
    { title: 'RISK', of: ({ risk }) => risk },
    { title: 'ENDS', of: ({ expires_at }) => expires_at, shown: ({ expires_at }) => when(expires_at) },
    { title: 'ASKED BY', of: ({ requested_by }) => requested_by.name },
    { title: 'SUMMARY', of: ({ summary }) => summary }
  ], 'Nothing waits for you.')
  return exits.done
}

export const inbox: Command = {
  words: ['[ID]'],
  summary: 'lists what waits for you, or shows one approval',
  options: {},
  fields: fieldsOf<Schemas['ConfirmationDetails']>()('id', 'session_id', 'run_id', 'status', 'name', 'arguments',
    'summary', 'preview', 'risk', 'risk_reasons', 'target', 'input_digest', 'not_shown', 'requested_by', 'missing',
    'waits_for', 'may_approve', 'expires_at'),
  run: async (input) => {
    const [id] = input.words
    if (id === undefined) return list(input)
    const { context: { terminal, connection }, results } = input
    const approval = await readApproval(connection, id)
    if (results.isJson) results.json(approval)
    else terminal.print(cardOf(terminal, approval))
    return exits.done
  }
}
