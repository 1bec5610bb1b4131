import type { FastifyInstance } from 'fastify'

type Secrets = Pick<FastifyInstance['secrets'], 'seal' | 'open' | 'ageOf'>
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

/** @returns whether a key of this age sealed something of the row */
export const isSealedBy = (secrets: Secrets, { access_token, refresh_token }: Sealed,
  age: ReturnType<Secrets['ageOf']>): boolean =>
  [access_token, refresh_token].some((sealed) => sealed !== null && secrets.ageOf(sealed) === age)

/** @returns the same tokens under the current key */
export const resealTokens = (secrets: Secrets, row: Sealed & { id: string }) => sealTokens(secrets, row.id, {
  access_token: openToken(secrets, row, 'access_token'),
  refresh_token: row.refresh_token && openToken(secrets, row, 'refresh_token')
})
