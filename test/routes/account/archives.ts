import { createHash } from 'node:crypto'
import type { App } from '../../app.js'
import { asAdmin } from '../../app.js'
import { archiveType } from '../../../schemas/account/workspaces.js'

export const passphrase = 'a passphrase of more than twenty characters'

type Headers = Record<string, string>

export const exportOf = (app: App, id: string, headers: Headers = asAdmin, secret: string | null = passphrase) =>
  app.inject({
    method: 'POST',
    url: `/account/workspaces/${id}/archive`,
    headers: { ...headers, ...(secret !== null && { 'archive-passphrase': secret }) }
  })

export const importTo = (app: App, payload: string | Buffer, secret: string | null = passphrase,
  headers: Headers = asAdmin) =>
  app.inject({
    method: 'POST',
    url: '/account/workspaces/import',
    headers: { ...headers, 'content-type': archiveType, ...(secret !== null && { 'archive-passphrase': secret }) },
    payload
  })

/** @returns the lines of an archive */
export const linesOf = (text: string): unknown[] => text.trimEnd().split('\n').map((line) => JSON.parse(line))

/** @returns an archive of these lines, with counts and hash that fit them, as anyone may make one */
export const archiveOf = (lines: readonly unknown[]): string => {
  const rows: Record<string, number> = {}
  let table = ''
  for (const line of lines) {
    if (Array.isArray(line)) rows[table] = (rows[table] ?? 0) + 1
    else if (typeof line === 'object' && line !== null && 'table' in line) {
      table = String(line.table)
      rows[table] = 0
    }
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return `${text}${JSON.stringify({ rows, sha256: createHash('sha256').update(text).digest('hex') })}\n`
}
