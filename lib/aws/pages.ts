import { AwsError, AwsTimeout } from '../../schemas/cloud/errors.js'

export interface Page<T> { items: T[], next: string | undefined }

/** `what`: the operation, for the error; `maxPages`: far above what AWS's own quotas allow. */
export interface PageLimits { what: string, maxPages: number }

/** A list that AWS has not answered whole by then is given up, whoever waits for it. */
const maxMs = 60_000

/** Refuses what no server of AWS does and an endless loop needs: a token that was given before. */
export class TokenGuard {
  readonly #seen = new Set<string>()
  constructor (private readonly what: string) {}

  /** @throws aws_error for a repeated token */
  accept (token: string | undefined): string | undefined {
    if (token === undefined || token === '') return undefined
    if (this.#seen.has(token)) throw AwsError(`${this.what} repeats a page token: the endpoint's list has no end`)
    this.#seen.add(token)
    return token
  }
}

/**
 * Follows the pages of a list to their end.
 * @throws aws_error for a repeated token or more than `maxPages`; aws_timeout after 60 s; what `read` throws
 */
export const collectPages = async <T>({ what, maxPages }: PageLimits,
  read: (token: string | undefined) => Promise<Page<T>>): Promise<T[]> => {
  const until = Date.now() + maxMs
  const tokens = new TokenGuard(what)
  const found: T[] = []
  let token: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await read(token)
    found.push(...page.items)
    token = tokens.accept(page.next)
    if (token === undefined) return found
    if (Date.now() > until) throw AwsTimeout(`${what} was not answered whole within ${maxMs / 1_000} s`)
  }
  throw AwsError(`${what} has more than ${maxPages} pages, more than AWS allows`)
}
