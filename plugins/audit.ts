import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { insertAudit } from '../db/audit.js'
import { fitBody } from '../lib/record/fit-body.js'
import { messageOf, fieldsOf } from '../schemas/unknown.js'

const targetOf = (request: FastifyRequest): string | null => {
  // Path parameters are strings.
  const values = Object.values(fieldsOf(request.params)).map(String)
  // Of what is refused too, and NUL is refused: no database stores it.
  return values.length > 0 ? values.join('/').slice(0, 500).replaceAll('\0', '\ufffd').toWellFormed() : null
}

/** Writes that come together are numbered together, so soon after the first of them. */
const gatherMs = 300

/** Says which workspaces have something in their record that is not numbered yet. */
class Unnumbered {
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** Numbers it: what the area of the record does. */
  number: (workspaceId: string) => void = () => undefined

  /** Called after the commit, and cheap: many calls are one. Without it a sweep finds what there is. */
  readonly soon = (workspaceId: string): void => {
    this.#waiting.add(workspaceId)
    if (this.#stopped) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const found = [...this.#waiting]
      this.#waiting.clear()
      for (const id of found) this.number(id)
    }, gatherMs).unref()
  }

  stop (): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }
}

declare module 'fastify' {
  interface FastifyInstance { unnumbered: Unnumbered }
  interface FastifyContextConfig {
    /** false: the operation writes its audit row itself, or changes nothing */
    audit?: false
  }
  interface FastifyRequest {
    /** Its success is an entry of the record already, which says more than the request. */
    recorded: boolean
  }
}

/**
 * What a write was asked with. Only of operations that the assistant has as well: by their words they take no secrets,
 * and their arguments are what a person is shown.
 */
const bodyOf = ({ routeOptions: { config }, body, effects, signed }: FastifyRequest):
Record<string, unknown> | undefined => {
  const calls = effects?.made.length ? { calls: effects.made } : {}
  const input = config.tool && fieldsOf(body)
  const found = { ...(input && Object.keys(input).length > 0 && { input }), ...calls }
  const fit = Object.keys(found).length > 0 ? fitBody(found) : undefined
  // To the letter: a signature has the form of a secret, and is none.
  return signed ? { ...fit, signed } : fit
}

/** One row for every write, before its answer is sent; refused ones too. */
export default fp(async (app) => {
  const unnumbered = new Unnumbered()
  app.decorate('unnumbered', unnumbered)
  app.decorateRequest('recorded', false)
  app.addHook('preClose', async () => unnumbered.stop())
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { access, audit, contract } = request.routeOptions.config
    const { principal } = request
    if (!access || audit === false || !principal || principal.planning) return
    const code = reply.getHeader('x-error-code')
    try {
      if (!request.recorded || typeof code === 'string') {
        await insertAudit(app.db, {
          workspace_id: principal.workspace_id,
          user_id: principal.user_id,
          via: principal.via,
          via_id: principal.via_id,
          write_id: principal.write_id,
          operation: contract?.operationId ?? request.url,
          target: targetOf(request),
          outcome: typeof code === 'string' ? code : 'succeeded',
          status: reply.statusCode,
          remote_address: request.ip,
          request_id: request.id,
          body: bodyOf(request)
        })
      }
      unnumbered.soon(principal.workspace_id)
    } catch (error) {
      // The write happened: its answer must not turn into an error.
      request.log.error({ reason: messageOf(error), operation: contract?.operationId }, 'audit row not written')
    }
  })
}, { name: 'audit', dependencies: ['auth', 'db'] })
