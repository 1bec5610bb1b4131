import { controlPath, newControlToken } from '../control-path.js'
import { startOnLoopback, type RunningSandbox } from '../wire.js'
import { buildAwsSandbox } from './app.js'
import type { SandboxOptions } from './sandbox.js'

export { buildAwsSandbox }
export * from './constants.js'
export type { SandboxOptions } from './sandbox.js'

/** Starts the sandbox on loopback. The endpoint for every AWS client is its `url`. */
export const startAwsSandbox = ({ controlToken = newControlToken(), ...options }:
SandboxOptions & { host?: string, port?: number } = {}): Promise<RunningSandbox> =>
  startOnLoopback(buildAwsSandbox({ ...options, controlToken }), controlPath(controlToken), options)
