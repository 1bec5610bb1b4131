import { startOnLoopback, type RunningSandbox } from '../wire.js'
import { buildCodehostSandbox } from './app.js'
import { CONTROL_PREFIX } from './constants.js'
import type { SandboxOptions } from './sandbox.js'

export { buildCodehostSandbox }
export * from './constants.js'
export type { SandboxOptions } from './sandbox.js'

/** Starts the stand-in on loopback. The REST API is below /api/v3 of its `url`. */
export const startCodehostSandbox = (options: SandboxOptions & { host?: string, port?: number } = {}):
Promise<RunningSandbox> => startOnLoopback(buildCodehostSandbox(options), CONTROL_PREFIX, options)
