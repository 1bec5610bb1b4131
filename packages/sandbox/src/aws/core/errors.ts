/** An error in the words of AWS; `server/respond.ts` converts it to the service's protocol. */
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

/** The request names something that its caller may not use. */
export function invalid (message: string): AwsError {
  return new AwsError('InvalidParameterException', message)
}

/** The error of the services that use this name. */
export function validation (message: string): AwsError {
  return new AwsError('ValidationException', message)
}
