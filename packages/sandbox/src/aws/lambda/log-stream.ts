import type { FunctionConfiguration } from '@aws-sdk/client-lambda'
import type { Wire } from '../core/wire.js'

/** The stream that a version writes to on a day: `2026/11/21/[$LATEST]0f3a…`. */
export function logStreamName ({ Version, RevisionId }: Wire<FunctionConfiguration>, milliseconds: number): string {
  const day = new Date(milliseconds).toISOString().slice(0, 10).replaceAll('-', '/')
  return `${day}/[${Version ?? '$LATEST'}]${(RevisionId ?? '').replaceAll('-', '')}`
}
