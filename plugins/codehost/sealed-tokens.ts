import type { FastifyInstance } from 'fastify'

type Secrets = Pick<FastifyInstance['secrets'], 'seal' | 'open'>
type Column = 'access_token' | 'refresh_token'

interface Sealed { access_token: Buffer | null, refresh_token: Buffer | null }

const placeOf = (id: string, column: Column) => `codehost_identity|${id}|${column}`

/** @throws Error when the key is gone, or the bytes were sealed for another row */
export const openToken = (secrets: Secrets, row: Sealed & { id: string }, column: Column): string => {
  const sealed = row[column]
  if (!sealed) throw new Error(`There is no ${column}`)
  return secrets.open(placeOf(row.id, column), sealed)
}

export const sealTokens = (secrets: Secrets, id: string,
  plain: { access_token: string, refresh_token: string | null }) => ({
  access_token: secrets.seal(placeOf(id, 'access_token'), plain.access_token),
  refresh_token: plain.refresh_token === null ? null : secrets.seal(placeOf(id, 'refresh_token'), plain.refresh_token)
})
