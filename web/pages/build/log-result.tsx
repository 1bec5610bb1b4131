import type { Schemas } from '../../api/client'
import { LogLines } from '../../parts/log-lines'
import type { ViewProps } from '../../results/operation'

/** Lines of a build's log. */
export default function BuildLogResult ({ result }: ViewProps<Schemas['BuildLog']>) {
  const lines = result.items.map(({ seq, at, step, stream, text }) =>
    ({ key: String(seq), at, tag: step, text, bad: stream === 'stderr' }))
  return (
    <div class='stack tight'>
      <LogLines lines={lines} label='Log of the build' empty='The build has logged nothing.' />
      {(!result.complete || result.truncated) && <p class='small muted'>This is a part of the log.</p>}
    </div>
  )
}
