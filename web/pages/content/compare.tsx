import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Preview } from '../../approvals/preview'
import { Diff } from '../../parts/diff'
import { Choice } from '../../parts/form'
import { Loaded } from '../../parts/states'
import { formatField } from './fields'
import { say, sayEach } from '../../texts/say'

const granularities = { word: 'content.compare.word', line: 'content.compare.line' } as const

const show = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value)

const Fields = ({ fields }: { fields: Schemas['ContentDiff']['fields'] }) => <Preview
  rows={fields.map(({ field, before, after }) =>
    ({ label: formatField(field), before: show(before), after: show(after) }))}
/>

/** The differences between an earlier version and the newest. */
export const Compare = ({ content, from }: { content: Schemas['Content'], from: number }) => {
  const granularity = useSignal<keyof typeof granularities>('word')
  const query = { from, to: content.head_version, granularity: granularity.value }
  const diff = useResource([content.id, ...Object.values(query)], (signal) => body(api.GET('/content/{content_id}/diff',
    { params: { path: { content_id: content.id }, query }, signal })))
  return (
    <section class='card stack' aria-label={say('content.compare.title')}>
      <div class='row spread'><h2>v{from} → v{content.head_version}</h2>
        <Choice label={say('content.compare.how')} value={granularity} options={sayEach(granularities)} unseen />
      </div>
      <Loaded of={diff}>{({ fields, body: parts }) => <>
        <Fields fields={fields} />
        <Diff parts={parts} label={say('content.text')} />
      </>}
      </Loaded>
    </section>
  )
}
