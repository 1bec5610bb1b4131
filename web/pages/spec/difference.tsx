import type { Schemas } from '../../api/client'
import { Preview } from '../../approvals/preview'
import { Badge } from '../../parts/badge'
import { Diff } from '../../parts/diff'
import { formatLabel } from '../../parts/label'
import { UnifiedDiff } from '../../parts/unified-diff'
import { say } from '../../texts/say'

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

/** A patch begins with the names of its files. */
const withoutNames = (patch: string): string => patch.slice(Math.max(0, patch.indexOf('@@')))

/** What differs between two versions, as the API compared them. */
export const Difference = ({ diff }: { diff: Schemas['SpecDiff'] }) => {
  if (diff.granularity === 'word') return <Diff parts={diff.parts} label='Markdown' />
  if (diff.granularity === 'line') {
    return <UnifiedDiff text={withoutNames(diff.unified)} label={say('spec.markdownLines')} />
  }
  return (
    <>
      <p class='small muted'>
        {say('spec.difference',
          { added: diff.added, removed: diff.removed, changed: diff.changed, unchanged: diff.unchanged })}
      </p>
      {diff.items.map((item) => <Item key={item.target} item={item} />)}
    </>
  )
}
