import type { EncryptedCell, EncryptedTable } from '../../db/encrypted-columns.js'

const names: Record<EncryptedTable, string> = {
  codehost_identity: 'connections to the code host',
  cloud_account: 'cloud accounts',
  content_target: 'publish targets',
  workspace: 'workspaces with a key of the model'
}

/** @returns to how many rows of which kind the cells belong */
export const describeCells = (cells: EncryptedCell[]): string =>
  Object.entries(names).flatMap(([table, name]) => {
    const rows = new Set(cells.filter((cell) => cell.table === table).map(({ id }) => id))
    return rows.size === 0 ? [] : [`${name} (${rows.size})`]
  }).join(', ')
