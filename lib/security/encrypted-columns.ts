import type { EncryptedCell, EncryptedTable } from '../../db/encrypted-columns.js'

const names: Record<EncryptedTable, string> = {
  account_identity_provider: 'identity providers',
  account_identity_session: 'sessions of identity providers',
  codehost_identity: 'connections to the code host',
  cloud_account: 'cloud accounts',
  content_target: 'publish targets',
  agent_trigger: 'triggers of the assistant',
  workspace: 'workspaces with a key of the model',
  tool_server: 'tool servers',
  audit_destination: 'destinations of the record',
  audit_key: 'keys of the record',
  channel: 'channels of people',
  channel_push_key: 'keys of web push',
  account_oauth_client: 'programs that registered themselves'
}

/** @returns to how many rows of which kind the cells belong */
export const describeCells = (cells: EncryptedCell[]): string =>
  Object.entries(names).flatMap(([table, name]) => {
    const rows = new Set(cells.filter((cell) => cell.table === table).map(({ id }) => id))
    return rows.size === 0 ? [] : [`${name} (${rows.size})`]
  }).join(', ')
