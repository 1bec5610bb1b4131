import { mergeLoads } from '../load/job.js'
import type { Measure } from '../server-under-test.js'
import type { Target } from '../targets/target.js'

/** One measure out of all rounds of a target. */
export const mergeMeasures = (measures: Measure[]): Measure => ({
  ...mergeLoads(measures),
  cpuMs: measures.reduce((sum, measure) => sum + measure.cpuMs, 0),
  postgresMs: measures.reduce((sum, measure) => sum + measure.postgresMs, 0)
})

export const mergeAll = (results: Map<Target, Measure[]>): Map<Target, Measure> =>
  new Map([...results].map(([target, measures]) => [target, mergeMeasures(measures)]))

export const cpuPerThousandTokens = ({ cpuMs, tokens }: Measure): number => 1000 * cpuMs / tokens
export const postgresPerThousandTokens = ({ postgresMs, tokens }: Measure): number => 1000 * postgresMs / tokens
export const perSecond = ({ finished, wallMs }: Measure): number => 1000 * finished / wallMs
/** The share of one core that the load client took: near 1, the client is what was measured. */
export const clientLoad = ({ clientCpuMs, wallMs }: Measure): number => clientCpuMs / wallMs
