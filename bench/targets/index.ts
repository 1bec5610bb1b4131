import { relay, relayStore } from './baselines.js'
import { stewardEmbedded, stewardPg } from './steward.js'
import type { Target } from './target.js'

/** The second one is what all others are compared with. */
export const targets: Target[] = [relay, relayStore, stewardPg, stewardEmbedded]
export const baseKey = relayStore.key
