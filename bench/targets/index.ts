import { relay, relayStore } from './baselines.js'
import { others } from './others.js'
import { stewardEmbedded, stewardPg } from './steward.js'
import type { Target } from './target.js'

/** The second one is what all others are compared with. */
export const targets: Target[] = [relay, relayStore, stewardPg, stewardEmbedded, ...others]
export const baseKey = relayStore.key
