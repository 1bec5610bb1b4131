import { userOf, type Call } from '../core/operation.js'
import type { Stage } from '../hooks/payloads.js'

/** The caller as the actor. */
export const stageOf = (call: Call): Stage =>
  ({ sandbox: call.sandbox, origin: call.origin, actor: userOf(call) })
