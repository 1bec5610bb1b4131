import { hash } from 'node:crypto'
import fp from 'fastify-plugin'
import { InvalidCursor } from '../schemas/errors.js'
import { principalKey, type Principal } from '../lib/security/principal.js'
import unchanged from './unchanged.js'

export type CursorKey = readonly (string | number | null)[]

const invalid = () =>
  InvalidCursor(undefined, {
    errors: [
      { pointer: '/querystring/cursor', code: 'invalid_cursor', message: 'is not valid for this caller and filter' }
    ]
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid()
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    cursors: {
      /** @returns where a page ended, readable only by the same caller with the same filter */
      encode(principal: Principal, list: string, filter: unknown, key: CursorKey): string
      /** @throws invalid_cursor when it was cut, edited, or made for another caller, list or filter */
      decode(principal: Principal, list: string, filter: unknown, cursor: string): CursorKey
    }
  }
}

export default fp(
  async (app) => {
    const binding = (principal: Principal, list: string, filter: unknown, body: string) => {
      const digest = hash('sha256', JSON.stringify(filter ?? null), 'base64url')
      return `cursor|${principal.workspace_id}|${principalKey(principal)}|${list}|${digest}|${body}`
    }
    await app.register(unchanged)
    app.decorate('cursors', {
      encode (principal, list, filter, key) {
        const body = Buffer.from(JSON.stringify(key)).toString('base64url')
        return `${body}.${app.secrets.sign(binding(principal, list, filter, body)).toString('base64url')}`
      },
      decode (principal, list, filter, cursor) {
        const [body = '', signature = ''] = cursor.split('.')
        const signed = app.secrets.isSigned(
          binding(principal, list, filter, body),
          Buffer.from(signature, 'base64url')
        )
        if (!signed) throw invalid()
        const key = parse(Buffer.from(body, 'base64url').toString('utf8'))
        // The signature proves that we made it, so it has the form that encode gave it.
        return key as CursorKey
      }
    })
  },
  { name: 'cursors', dependencies: ['secrets'] }
)
