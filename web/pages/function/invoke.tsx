import { useSignal } from '@preact/signals'
import { Play } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Badge } from '../../parts/badge'
import { ProblemNotice } from '../../parts/notice'
import { Json } from '../../parts/value'

type Result = Schemas['InvokeResult']
const modes = { sync: 'Wait for the answer', async: 'Queue the call', dry_run: 'Check the permission only' } as const
type Mode = keyof typeof modes
const isMode = (text: string): text is Mode => text in modes

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const Answer = ({ result }: { result: Result }) => <div class='stack tight'>
  <div class='row tight'>
    <Badge tone={result.status === 'function_error' ? 'bad' : 'good'}>{result.status.replace('_', ' ')}</Badge>
    <span class='small muted'>{result.duration_ms} ms
      {result.billed_ms !== null && ` · ${result.billed_ms} ms billed`}
    </span>
  </div>
  {result.function_error && <ErrorText error={result.function_error} />}
  {(result.payload ?? result.payload_text) != null && <Json value={result.payload ?? result.payload_text} />}
  {result.log_tail && <details><summary>Its last log lines</summary><Json value={result.log_tail} /></details>}
</div>

const ErrorText = ({ error }: { error: NonNullable<Result['function_error']> }) =>
  <p><strong>{error.type ?? error.kind}</strong>: {error.message}</p>

/** Runs the function with a payload. Steward cannot preview what the function does. */
export const Invoke = ({ item }: { item: Schemas['ServerlessFunction'] }) => {
  const payload = useSignal('{}')
  const mode = useSignal<Mode>('sync')
  const result = useSignal<Result | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    result.value = await body(api.POST('/infrastructure/serverless/functions/{name}/invoke', {
      params: { path: { name: item.id } },
      // The form is valid only when the text is JSON.
      body: { payload: JSON.parse(payload.value) as unknown, mode: mode.value, log_tail: mode.value === 'sync' }
    }))
  })
  return (
    <form
      class='card stack' onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <h2>Invoke</h2>
      <label class='field'><span>Payload (JSON)</span>
        <textarea
          class='mono' rows={4} spellcheck={false} value={payload.value} aria-invalid={!isJson(payload.value)}
          onInput={(event) => { payload.value = event.currentTarget.value }}
        />
      </label>
      <div class='fields'>
        <label class='field'><span>How</span>
          <select
            value={mode.value}
            onChange={({ currentTarget: { value } }) => { if (isMode(value)) mode.value = value }}
          >
            {Object.entries(modes).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
          </select>
        </label>
        <button class='primary' disabled={busy || !isJson(payload.value)}>
          <Play size={16} aria-hidden='true' />{busy ? 'Running …' : `Invoke ${item.name}`}
        </button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {result.value && <Answer result={result.value} />}
    </form>
  )
}
