import type { Schemas } from '../../api/client'
import { Preview } from '../../approvals/preview'
import { Diff } from '../../parts/diff'
import type { ViewProps } from '../../results/operation'
import { formatField } from './fields'
import { say } from '../../texts/say'

const show = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** What differs between two versions of a content. */
export default function ContentDiffResult ({ result }: ViewProps<Schemas['ContentDiff']>) {
  const rows = result.fields.map(({ field, before, after }) =>
    ({ label: formatField(field), before: show(before), after: show(after) }))
  return (
    <div class='stack tight'>
      <Preview rows={rows} />
      <Diff
        parts={result.body}
        label={say('content.result.diff', { from: String(result.from), to: String(result.to) })}
      />
    </div>
  )
}
