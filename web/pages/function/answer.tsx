import type { Schemas } from '../../api/client'
import { Badge, formatState } from '../../parts/badge'
import { Json } from '../../parts/value'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'

type Result = Schemas['InvokeResult']

const ErrorText = ({ error }: { error: NonNullable<Result['function_error']> }) =>
  <p><strong>{error.type ?? error.kind}</strong>: {error.message}</p>

/** What a function answered. */
export default function InvokeAnswer ({ result }: ViewProps<Result>) {
  return (
    <div class='stack tight'>
      <div class='row tight'>
        <Badge tone={result.status === 'function_error' ? 'bad' : 'good'}>{formatState(result.status)}</Badge>
        <span class='small muted'>{result.billed_ms === null
          ? say('function.duration', { duration: result.duration_ms })
          : say('function.billed', { duration: result.duration_ms, billed: result.billed_ms })}
        </span>
      </div>
      {result.function_error && <ErrorText error={result.function_error} />}
      {(result.payload ?? result.payload_text) != null && <Json value={result.payload ?? result.payload_text} />}
      {result.log_tail && <details><summary>{say('function.tail')}</summary><Json value={result.log_tail} /></details>}
    </div>
  )
}
