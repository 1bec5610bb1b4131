import { controlPath, newControlToken } from '../control-path.js'
import { startOnLoopback, type RunningSandbox } from '../wire.js'
import { buildCodehostSandbox } from './app.js'
import type { SandboxOptions } from './sandbox.js'

export { buildCodehostSandbox }
export * from './constants.js'
export type { SandboxOptions } from './sandbox.js'

/** Starts the sandbox on loopback. The REST API is below /api/v3 of its `url`. */
export const startCodehostSandbox = ({ controlToken = newControlToken(), ...options }:
SandboxOptions & { host?: string, port?: number } = {}): Promise<RunningSandbox> =>
  startOnLoopback(buildCodehostSandbox({ ...options, controlToken }), controlPath(controlToken), options)
