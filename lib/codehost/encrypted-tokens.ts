import type { FastifyInstance } from 'fastify'

type Secrets = Pick<FastifyInstance['secrets'], 'encrypt' | 'decrypt'>
type Column = 'access_token' | 'refresh_token'

interface Encrypted { access_token: Buffer | null, refresh_token: Buffer | null }

const contextOf = (id: string, column: Column) => `codehost_identity|${id}|${column}`

/** @throws Error when the key is gone, or the bytes were encrypted for another row */
export const decryptToken = (secrets: Secrets, row: Encrypted & { id: string }, column: Column): string => {
  const encrypted = row[column]
  if (!encrypted) throw new Error(`There is no ${column}`)
  return secrets.decrypt(contextOf(row.id, column), encrypted)
}

export const encryptTokens = (secrets: Secrets, id: string,
  plain: { access_token: string, refresh_token: string | null }) => ({
  access_token: secrets.encrypt(contextOf(id, 'access_token'), plain.access_token),
  refresh_token: plain.refresh_token === null
    ? null
    : secrets.encrypt(contextOf(id, 'refresh_token'), plain.refresh_token)
})
