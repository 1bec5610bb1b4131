/** An error of a field, by its JSON pointer into the request. */
export interface FieldError { pointer: string, code: string, message: string }

/** The body of an error, RFC 9457; some codes add members. */
export interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  code: string
  request_id: string
  errors?: FieldError[]
  [member: string]: unknown
}

/** A proxy's answer, or a page to sign in, in place of Steward's. */
const unexpected = 'unexpected_answer'

/** An error response of the API, or the lack of any response. Branch on `code`. */
export class Problem extends Error {
  override readonly name = 'Problem'

  /** @param status 0 where nothing was answered */
  constructor (readonly code: string, readonly status: number, detail: string, readonly body?: Partial<ProblemBody>,
    /** Milliseconds that the answer asks to wait. */
    readonly retryAfterMs?: number) {
    super(detail)
  }

  /** Where the request is wrong: a JSON pointer into its body, or `/querystring/…`. */
  get pointer (): string | undefined {
    return this.body?.errors?.[0]?.pointer
  }

  /** Another attempt would get the same answer. */
  get isFinal (): boolean {
    if (this.code === unexpected) return this.status < 500 && this.status !== 429
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429
  }

  /** @returns the errors of fields, as sentences, without those at these pointers */
  fieldsBut (pointers: readonly string[]): string[] {
    return (this.body?.errors ?? []).filter(({ pointer }) => !pointers.includes(pointer))
      .map(({ pointer, message }) => `${pointer} ${message}`)
  }
}

/** @returns the milliseconds of a Retry-After, which is a number of seconds or a date */
const retryAfterOf = ({ headers }: Response): number | undefined => {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isAborted = (error: unknown): boolean => isObject(error) && error.name === 'AbortError'

/** @returns the problem of an answer that is not of the media type that was asked for */
export const unexpectedAnswer = (response: Response): Problem => {
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'nothing'
  return new Problem(unexpected, response.status,
    `The answer was ${response.status} with ${type}, not Steward's. Is the address right, or a proxy before it?`)
}

/** @returns the problem of an error response, whose parsed body is `error`; or without one, of a failed request */
export const problemOf = (error: unknown, response?: Response): Problem => {
  if (error instanceof Problem) return error
  if (isAborted(error)) return new Problem('aborted', 0, 'Stopped')
  if (!response) {
    if (error instanceof SyntaxError) return new Problem(unexpected, 0, 'The answer was cut, or is not Steward\'s')
    return new Problem('unreachable', 0, 'Steward did not answer. Is it running?')
  }
  // Every error of the API has this form; a proxy may send any other body.
  const body = isObject(error) ? error as Partial<ProblemBody> : {}
  const code = typeof body.code === 'string' ? body.code : unexpected
  const detail = typeof body.detail === 'string' ? body.detail : `The answer was ${response.status}`
  return new Problem(code, response.status, detail, body, retryAfterOf(response))
}
