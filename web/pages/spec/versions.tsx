import { useSignal } from '@preact/signals'
import { History } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { formatState, StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { Compare } from './compare'
import type { Spec } from './index'
import { say } from '../../texts/say'

const NoVersions = () => <Empty icon={History} title={say('spec.versions.none')}>
  <p>{say('spec.versions.words')}</p>
</Empty>

/** All versions, and the differences between two. */
export const Versions = ({ session }: Spec) => {
  const { session_id: id, current_version: current } = session
  const shown = useSignal<number | undefined>(current ?? undefined)
  const versions = usePages<Schemas['SpecVersionSummary']>([id, current], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/versions',
    { params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <section class='card flush' aria-label={say('spec.versions')}>
        <List of={versions} empty={<NoVersions />}>
          {(items) => <Table
            columns={[
              say('specs.version'), say('spec.origin'), { numeric: say('spec.requirements') }, say('specs.checks'),
              say('spec.made'), { unseen: say('spec.compare') }
            ]}
          >
            {items.map((version) => <tr key={version.version}>
              <td>{version.version === session.approved_version
                ? say('spec.version.approved', { version: String(version.version) })
                : `v${version.version}`}
              </td>
              <td>{formatState(version.origin)}</td><td class='numeric'>{version.requirements}</td>
              <td><StateBadge state={version.check_verdict} /></td>
              <td class='nowrap'><Time at={version.created_at} /></td>
              <td><button
                type='button' class='small' onClick={() => { shown.value = version.version }}
              >{say('spec.compare.label')}
                <span class='unseen'> {say('spec.inVersion', { version: String(version.version) })}</span>
              </button>
              </td>
            </tr>)}
          </Table>}
        </List>
      </section>
      {shown.value !== undefined && <Compare id={id} version={shown.value} />}
    </div>
  )
}
