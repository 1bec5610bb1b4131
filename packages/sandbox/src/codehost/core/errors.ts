const docs = 'https://docs.github.com/rest'

/** A refusal in the code host's own shape. */
export class Refusal extends Error {
  constructor (readonly status: number, message: string, readonly extra: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {}) {
    super(message)
  }

  get body (): Record<string, unknown> {
    return { message: this.message, ...this.extra, documentation_url: docs, status: String(this.status) }
  }
}

export const notFound = (): Refusal => new Refusal(404, 'Not Found')
export const badCredentials = (): Refusal => new Refusal(401, 'Bad credentials')

/** @param errors one entry for each complaint, as the code host lists them */
export const invalid = (...errors: Record<string, unknown>[]): Refusal =>
  new Refusal(422, 'Validation Failed', { errors })
