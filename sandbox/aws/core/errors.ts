/** An answer that is an error, in the words of AWS; `server/respond.ts` puts it into the service's protocol. */
export class AwsError extends Error {
  constructor (
    readonly code: string,
    message: string,
    readonly status = 400,
    readonly extra: { fields?: Record<string, unknown>, headers?: Record<string, string> } = {}
  ) {
    super(message)
  }
}

/** The request names something it may not. */
export function invalid (message: string): AwsError {
  return new AwsError('InvalidParameterException', message)
}

/** Validation of the services that call it so. */
export function validation (message: string): AwsError {
  return new AwsError('ValidationException', message)
}
