import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
import { Json } from '../../parts/value'
import type { ViewProps } from '../../results/operation'

type Result = Schemas['InvokeResult']

const ErrorText = ({ error }: { error: NonNullable<Result['function_error']> }) =>
  <p><strong>{error.type ?? error.kind}</strong>: {error.message}</p>

/** What a function answered. */
export default function InvokeAnswer ({ result }: ViewProps<Result>) {
  return (
    <div class='stack tight'>
      <div class='row tight'>
        <Badge tone={result.status === 'function_error' ? 'bad' : 'good'}>{result.status.replaceAll('_', ' ')}</Badge>
        <span class='small muted'>{result.duration_ms} ms
          {result.billed_ms !== null && ` · ${result.billed_ms} ms billed`}
        </span>
      </div>
      {result.function_error && <ErrorText error={result.function_error} />}
      {(result.payload ?? result.payload_text) != null && <Json value={result.payload ?? result.payload_text} />}
      {result.log_tail && <details><summary>Its last log lines</summary><Json value={result.log_tail} /></details>}
    </div>
  )
}
