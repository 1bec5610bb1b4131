/** Ends an output as failed; the message is for people. */
export class GenerationFailed extends Error {
  constructor (readonly code: string, message: string) {
    super(message)
  }
}
