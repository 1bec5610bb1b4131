import type { AccessRow } from '../../plugins/access-table.js'
import { hasRole, hasScope, type Principal } from '../../lib/security/principal.js'
import type { App } from '../app.js'
import { addressOf, type Operation, type Schema } from './operations.js'
import type { Caller, Headers } from './principals.js'
import { sampleOf } from './samples.js'

type Resolve = (schema: Schema) => Schema

/** Calls an operation with the smallest body and query that its schema takes, and these path parameters. */
export const callerOf = (app: App, resolve: Resolve) =>
  (operation: Operation, headers: Headers, valueOf: (name: string) => string, method: string = operation.method) => {
    const payload = operation.body && sampleOf(operation.body, resolve)
    return app.inject({
      method: method as 'GET',
      url: addressOf(operation, ({ name, in: location, required, schema }) =>
        location === 'path' ? valueOf(name) : required ? String(sampleOf(schema, resolve)) : undefined),
      headers: { ...headers, prefer: 'wait=0' },
      // A stream is judged by its head.
      payloadAsStream: operation.streams,
      ...(payload === undefined ? {} : { payload: Object(payload) })
    })
  }

export type Answer = Awaited<ReturnType<ReturnType<typeof callerOf>>>

export const codeOf = ({ statusCode, headers }: Answer) => [statusCode, headers['x-error-code']]

/** The codes by which the frame refuses a caller, whatever is asked. */
const frameCodes = ['unauthenticated', 'insufficient_scope', 'insufficient_role', 'assistant_token']

/** @returns the code by which the caller was refused, or `passed` when what was asked has been looked at */
export const outcomeOf = ({ headers }: Pick<Answer, 'headers'>): string => {
  const code = String(headers['x-error-code'])
  return frameCodes.includes(code) ? code : 'passed'
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** @returns what the route's declaration says of the caller, as `outcomeOf` names it */
export const expectedOf = (row: AccessRow, caller: Caller): string => {
  const { access } = row
  if (!access) return 'passed'
  if (!caller.role) return 'unauthenticated'
  // Of a principal, these decide.
  const principal = caller as Pick<Principal, 'role' | 'scopes'> as Principal
  const isOpen = row.assistant === true || (row.assistant === 'approving' && caller.scopes?.includes('approvals:write'))
  if (caller.assistant && !isOpen && !safeMethods.includes(row.method)) return 'assistant_token'
  if (!hasScope(principal, access.scope)) return 'insufficient_scope'
  return hasRole(principal, access.role) ? 'passed' : 'insufficient_role'
}

/** @returns the outcome, but that which the handler itself refuses, and the route says why, is passed by the frame */
export const allowDeclared = (row: AccessRow, outcome: string): string => outcome in row.refuses ? 'passed' : outcome
