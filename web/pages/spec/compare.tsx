import { useSignal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Choice } from '../../parts/form'
import { Loaded } from '../../parts/states'
import { Difference } from './difference'
import { say, sayEach } from '../../texts/say'

const granularities = { requirement: 'spec.compare.requirement', word: 'spec.compare.word' } as const

/** The changes from the version on which this one is based. */
export const Compare = ({ id, version }: { id: string, version: number }) => {
  const granularity = useSignal<keyof typeof granularities>('requirement')
  const query = { to: version, granularity: granularity.value }
  const diff = useResource([id, version, granularity.value], (signal) => body(api.GET('/pse/sessions/{session_id}/diff',
    { params: { path: { session_id: id }, query }, signal })))
  return (
    <section class='card stack' aria-label={say('spec.compare.label')}>
      <div class='row spread'><h2>{say('spec.compare.title', { version: String(version) })}</h2>
        <Choice label={say('spec.compare.how')} value={granularity} options={sayEach(granularities)} unseen />
      </div>
      <Loaded of={diff}>{(data) => <Difference diff={data} />}</Loaded>
    </section>
  )
}
