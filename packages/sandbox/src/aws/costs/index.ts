import type { Operation } from '../core/operation.js'
import { anomalyOperations } from './anomalies.js'
import { forecastOperations } from './forecast.js'
import { tagOperations } from './tags.js'
import { usageOperations } from './usage.js'

export const costOperations: Record<string, Operation> = {
  ...usageOperations,
  ...forecastOperations,
  ...anomalyOperations,
  ...tagOperations
}
