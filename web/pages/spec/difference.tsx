import type { Schemas } from '../../api/client'
import { Preview } from '../../approvals/preview'
import { Badge, formatState } from '../../parts/badge'
import { Diff } from '../../parts/diff'
import { formatLabel } from '../../parts/label'
import { UnifiedDiff } from '../../parts/unified-diff'
import { titleOfOwn } from './target-name'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

const tones = { added: 'good', removed: 'bad', changed: 'info' } as const

const show = (value: unknown): string | null => value === null
  ? null
  : typeof value === 'string' ? value : JSON.stringify(value)

/** A section has a title only; an item also has an id, by which people speak of it. */
const Name = ({ item: { target, title } }: { item: Schemas['SpecItemChange'] }) => target.startsWith('sections.')
  ? <h3 class='grow'>{titleOfOwn(target) ?? title}</h3>
  : <><code>{target}</code><h3 class='grow'>{translate('specs', title)}</h3></>

const Item = ({ item }: { item: Schemas['SpecItemChange'] }) => <article class='stack tight' aria-label={item.target}>
  <div class='row tight'><Name item={item} />
    <Badge tone={tones[item.change]}>{formatState(item.change)}</Badge>
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
