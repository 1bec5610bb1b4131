export type Resource = 'core' | 'search' | 'graphql'

interface Bucket { used: number, reset: number }

const windowMs: Record<Resource, number> = { core: 3_600_000, search: 60_000, graphql: 3_600_000 }

/** The requests of each user to each resource. */
export class RateLimits {
  #buckets = new Map<string, Bucket>()

  limitOf (resource: Resource, core: number): number {
    return resource === 'search' ? 30 : core
  }

  bucket (user: string, resource: Resource, now: number): Bucket {
    const key = `${user}:${resource}`
    const known = this.#buckets.get(key)
    if (known && known.reset > now) return known
    const fresh = { used: 0, reset: now + windowMs[resource] }
    this.#buckets.set(key, fresh)
    return fresh
  }

  /** @returns the headers with the user's rate limit */
  headers (user: string, resource: Resource, now: number, core: number): Record<string, string> {
    const { used, reset } = this.bucket(user, resource, now)
    const limit = this.limitOf(resource, core)
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - used)),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
      'x-ratelimit-resource': resource
    }
  }
}
