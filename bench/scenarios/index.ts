import { coldStart } from './cold-start.js'
import { content } from './content.js'
import { growth } from './growth.js'
import { idle } from './idle.js'
import { inventory } from './inventory.js'
import { manyFast } from './many-fast.js'
import { manySlow } from './many-slow.js'
import { oneStream } from './one-stream.js'
import { policies } from './policies.js'
import { record } from './record.js'
import type { Scenario } from './scenario.js'
import { sessionList } from './session-list.js'
import { specs } from './specs.js'
import { toolLoop } from './tool-loop.js'
import { webhooks } from './webhooks.js'

/** In the order in which they run. A scenario that only Steward can serve filters `bench.targets`. */
export const scenarios: Scenario[] = [
  oneStream, manyFast, manySlow, toolLoop, sessionList, coldStart, idle, inventory, webhooks, specs, content, policies,
  record, growth
]
