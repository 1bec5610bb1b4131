import type { FastifyInstance } from 'fastify'
import { controlPath, newControlToken } from '../control-path.js'
import { buildWire } from '../wire.js'
import { createSandbox, type SandboxOptions } from './sandbox.js'
import { control } from './server/control.js'
import { dispatch } from './server/dispatch.js'

/** Above Lambda's 6 MiB, so that the sandbox itself refuses what Lambda would. */
const BODY_LIMIT = 16 * 1024 * 1024

/** The sandbox of AWS as a Fastify app that does not listen yet. */
export function buildAwsSandbox (options: SandboxOptions = {}): FastifyInstance {
  const sandbox = createSandbox(options)
  const app = buildWire({ bodyLimit: BODY_LIMIT, logger: options.logger ?? false },
    (request) => dispatch(sandbox, request))
  app.register(control, { prefix: controlPath(options.controlToken ?? newControlToken()), sandbox })
  return app
}
