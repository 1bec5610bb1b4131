import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../api-error.js'
import { isRecord } from '../validate/shape.js'
import type { SandboxState } from '../state.js'

/** The versions that a body may name: that of the cloud, and that of the Messages API. */
const common = '2026-10-21'

/** Refuses what the clouds do not take of the Messages API. @returns the request as the Messages API has it */
export function fromCloud (body: unknown, version: string, model: string): Record<string, unknown> {
  if (!isRecord(body)) throw invalid('Malformed input request, please reformat your input and try again.')
  const { anthropic_version: named, anthropic_beta: beta, ...rest } = body
  if (named !== version && named !== common) throw invalid('anthropic_version: Field required')
  if (beta !== undefined) throw invalid('invalid beta flag')
  for (const name of ['model', 'cache_control']) {
    if (name in rest) throw invalid(`${name}: Extra inputs are not permitted`)
  }
  const tools: unknown[] = Array.isArray(rest.tools) ? rest.tools : []
  if (tools.some((tool) => isRecord(tool) && ('defer_loading' in tool || /^tool_search/.test(String(tool.type))))) {
    throw invalid('tools.0.custom.defer_loading: Extra inputs are not permitted')
  }
  return { ...rest, model, stream: true }
}

/**
 * Bodies as bytes, too: signatures are made of them, and clients of AWS may not name their type.
 * @returns the bytes of a request
 */
export function keepBytes (app: FastifyInstance): (request: FastifyRequest) => Buffer {
  const kept = new WeakMap<FastifyRequest, Buffer>()
  app.removeContentTypeParser('application/json')
  const types = ['application/json', 'application/octet-stream']
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    // Asked for as a buffer.
    const body = bytes as Buffer
    kept.set(request, body)
    try {
      done(null, JSON.parse(body.toString()))
    } catch {
      done(new ApiError(400, 'Malformed input request, please reformat your input and try again.'))
    }
  })
  return (request) => kept.get(request) ?? Buffer.alloc(0)
}

/** Writes what is asked into the journal, as it came, and how it was answered. */
export function keepJournal (app: FastifyInstance, state: SandboxState): void {
  app.addHook('preValidation', async (request) => {
    const { id, method, url, body, headers } = request
    state.entries.set(request, state.journal.add({ request_id: id, method, path: url, body }, headers))
  })
  app.addHook('onResponse', async (request, reply) => {
    const entry = state.entries.get(request)
    if (entry) entry.status = reply.statusCode
  })
}
