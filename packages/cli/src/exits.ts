import { Problem } from 'steward-client'

/** What the command's exit code says; docs/cli.md has the same list. */
export const exits = {
  done: 0,
  /** Steward refused it, or it came to a bad end. */
  failed: 1,
  /** The command was not understood. */
  usage: 2,
  /** No credentials, or they are no longer valid. */
  signedOut: 3,
  /** A person has to decide first. */
  waits: 4,
  /** Steward did not answer, or something else did. */
  unreachable: 5,
  interrupted: 130
} as const

export class UsageError extends Error {}

/** An end with words for the person, and a code: a problem, so that it passes through the client as it is. */
export class Ended extends Problem {
  constructor (readonly exit: number, message: string) {
    super('ended', 0, message)
  }

  override get isFinal (): boolean {
    return true
  }
}

/** @returns the exit code of whatever was thrown */
export const exitOf = (error: unknown): number => {
  if (error instanceof UsageError) return exits.usage
  if (error instanceof Ended) return error.exit
  if (!(error instanceof Problem)) return exits.failed
  if (error.status === 401) return exits.signedOut
  if (error.code === 'aborted') return exits.interrupted
  return ['unreachable', 'unexpected_answer', 'stream_silent'].includes(error.code) ? exits.unreachable : exits.failed
}
