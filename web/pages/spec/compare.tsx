import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Preview } from '../../approvals/preview'
import { Badge } from '../../parts/badge'
import { Diff } from '../../parts/diff'
import { Choice } from '../../parts/form'
import { formatLabel } from '../../parts/label'
import { Loaded } from '../../parts/states'

const granularities = { requirement: 'By requirement', word: 'Word by word' } as const
const tones = { added: 'good', removed: 'bad', changed: 'info' } as const

const show = (value: unknown): string | null => value === null
  ? null
  : typeof value === 'string' ? value : JSON.stringify(value)

const Item = ({ item }: { item: Schemas['SpecItemChange'] }) => <article class='stack tight' aria-label={item.target}>
  <div class='row tight'><code>{item.target}</code><h3 class='grow'>{item.title}</h3>
    <Badge tone={tones[item.change]}>{item.change}</Badge>
  </div>
  {item.change === 'changed' && <Preview rows={item.fields.map(({ field, before, after }) =>
    ({ label: formatLabel(field), before: show(before), after: show(after) }))}
  />}
</article>

const Difference = ({ diff }: { diff: Schemas['SpecDiff'] }) => {
  if (diff.granularity === 'word') return <Diff parts={diff.parts} label='Markdown' />
  if (diff.granularity === 'line') return <pre class='block' tabIndex={0}>{diff.unified}</pre>
  return (
    <>
      <p class='small muted'>
        {diff.added} added, {diff.removed} removed, {diff.changed} changed, {diff.unchanged} as they were
      </p>
      {diff.items.map((item) => <Item key={item.target} item={item} />)}
    </>
  )
}

/** The changes from the version on which this one is based. */
export const Compare = ({ id, version }: { id: string, version: number }) => {
  const granularity = useSignal<keyof typeof granularities>('requirement')
  const query = { to: version, granularity: granularity.value }
  const diff = useResource([id, version, granularity.value], (signal) => body(api.GET('/pse/sessions/{session_id}/diff',
    { params: { path: { session_id: id }, query }, signal })))
  return (
    <section class='card stack' aria-label='What changed'>
      <div class='row spread'><h2>What v{version} changed</h2>
        <Choice label='How to compare' value={granularity} options={granularities} unseen />
      </div>
      <Loaded of={diff}>{(data) => <Difference diff={data} />}</Loaded>
    </section>
  )
}
