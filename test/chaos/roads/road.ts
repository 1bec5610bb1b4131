import type { Test } from 'tap'
import type { Survivor } from '../survivor.js'

/** One way through the product that a crash must not spoil. */
export interface Road {
  /** What the names of its fault points begin with. */
  areas: string[]
  /** Settings that its Steward needs. */
  settings?: Record<string, string>
  /** Makes what it needs once. @returns how it is gone once; the number is never the same twice */
  prepare (t: Pick<Test, 'teardown'>, survivor: Survivor): Promise<(number: number) => Promise<string[]>>
}

/** @returns the complaint, where it is one */
export const unless = (holds: boolean, complaint: string): string[] => holds ? [] : [complaint]
