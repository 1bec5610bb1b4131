import type { Operation } from '../core/operation.js'
import { filterOperations } from './filter-events.js'
import { getEventsOperations } from './get-events.js'
import { groupOperations } from './groups.js'
import { liveTailOperations } from './live-tail.js'

export const logOperations: Record<string, Operation> = {
  ...groupOperations,
  ...filterOperations,
  ...getEventsOperations,
  ...liveTailOperations
}
