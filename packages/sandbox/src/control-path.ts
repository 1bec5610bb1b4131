import { randomUUID } from 'node:crypto'

/** The token of the control path: other programs on this machine can reach the sandbox's port too. */
export interface ControlOptions {
  /** Without it a random one, which `start…Sandbox` returns in `controlUrl`. */
  controlToken?: string
}

export const newControlToken = (): string => randomUUID()

/** @returns the control path of a sandbox; it includes the token */
export const controlPath = (token: string): string => `/__sandbox/${token}`
