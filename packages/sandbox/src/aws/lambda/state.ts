import type { AliasConfiguration, FunctionConfiguration } from '@aws-sdk/client-lambda'
import type { Wire } from '../core/wire.js'

/** What a function does when it is invoked. */
export type Behaviour = 'ok' | 'echo' | 'fail' | 'slow' | 'timeout' | 'crash'

export interface FunctionState {
  name: string
  behaviour: Behaviour
  /** `$LATEST` first, then the published versions, oldest first. */
  versions: Wire<FunctionConfiguration>[]
  aliases: Wire<AliasConfiguration>[]
  tags: Record<string, string>
  reservedConcurrency: number | null
  /** When an invocation was refused, in milliseconds. */
  throttledAt?: number[]
  /** The last image of a function that has one. */
  image?: string
  /** What the published versions were made of, by their numbers; those of the seed have the first image. */
  images?: Record<string, string>
}
