import { startOnLoopback, type RunningSandbox } from '../wire.js'
import { buildAwsSandbox } from './app.js'
import { CONTROL_PREFIX } from './constants.js'
import type { SandboxOptions } from './sandbox.js'

export { buildAwsSandbox }
export * from './constants.js'
export type { SandboxOptions } from './sandbox.js'

/** Starts the stand-in on loopback. The endpoint for every AWS client is its `url`. */
export const startAwsSandbox = (options: SandboxOptions & { host?: string, port?: number } = {}):
Promise<RunningSandbox> => startOnLoopback(buildAwsSandbox(options), CONTROL_PREFIX, options)
