import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from './clients.js'

/** How many calls may be sent at once, and how many a second go on after them. */
interface Rate { burst: number, perSecond: number }

/** For so long after AWS has throttled a call, those that are repeated are known to wait. */
const throttledMs = 5_000

/** Spreads calls so that they stay below what AWS throttles. */
export class Bucket {
  #next = 0
  #throttledUntil = 0
  constructor (private readonly rate: Rate) {}

  async take (): Promise<void> {
    const { burst, perSecond } = this.rate
    const now = Date.now()
    this.#next = Math.max(this.#next, now - burst * 1_000 / perSecond) + 1_000 / perSecond
    const wait = this.#next - now
    if (wait > 0) await sleep(wait)
  }

  /** AWS has throttled a call all the same. */
  noteThrottled (): void {
    this.#throttledUntil = Date.now() + throttledMs
  }

  /** How long a call that came now would wait. */
  waitMs (): number {
    return Math.max(0, Math.max(this.#next + 1_000 / this.rate.perSecond, this.#throttledUntil) - Date.now())
  }
}

/** What one account and region may be asked, by name: calls of one budget share a bucket. */
export interface Budget extends Rate { name: string }

/**
 * Four fifths of what AWS allows an account and region (request-throttling.html of the ECS API reference, Lambda's quotas):
 * the rest is for the console and for whoever else asks.
 */
const ecs: [RegExp, Budget][] = [
  [/^(Describe|List)Clusters$/, { name: 'ecs|clusters', burst: 40, perSecond: 16 }],
  [/^(Describe|List)Tasks$/, { name: 'ecs|tasks', burst: 80, perSecond: 16 }],
  [/^(Describe|List)TaskDefinition/, { name: 'ecs|definitions', burst: 40, perSecond: 16 }],
  [/^(Describe|List)Service/, { name: 'ecs|services', burst: 80, perSecond: 16 }]
]

const others: Record<ServiceName | 'ecr', Rate> = {
  ecr: { burst: 20, perSecond: 10 },
  ecs: { burst: 20, perSecond: 10 },
  lambda: { burst: 20, perSecond: 12 },
  logs: { burst: 8, perSecond: 4 },
  cloudwatch: { burst: 16, perSecond: 8 },
  codebuild: { burst: 10, perSecond: 5 },
  costs: { burst: 2, perSecond: 1 },
  autoscaling: { burst: 40, perSecond: 10 },
  sts: { burst: 20, perSecond: 10 }
}

export const budgetFor = (service: ServiceName | 'ecr', operation: string): Budget => {
  const found = service === 'ecs' ? ecs.find(([pattern]) => pattern.test(operation)) : undefined
  return found ? found[1] : { name: service, ...others[service] }
}

/** Sessions of writes in one account and region: a budget of their own, so that no list keeps a write waiting. */
export const writeBudget: Budget = { name: 'writes', burst: 10, perSecond: 5 }
