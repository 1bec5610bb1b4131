/** An output ends badly; the message is for people. */
export class GenerationFailed extends Error {
  constructor (readonly code: string, message: string) {
    super(message)
  }
}
