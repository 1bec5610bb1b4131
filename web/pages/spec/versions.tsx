import { useSignal } from '@preact/signals'
import { History } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { Compare } from './compare'
import type { Spec } from './index'

/** All versions, and the differences between two. */
export const Versions = ({ session }: Spec) => {
  const { session_id: id, current_version: current } = session
  const shown = useSignal<number | undefined>(current ?? undefined)
  const versions = usePages<Schemas['SpecVersionSummary']>([id, current], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/versions',
    { params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal })))
  return (
    <div class='stack'>
      <section class='card flush' aria-label='Versions'>
        <List of={versions} empty={<Empty icon={History} title='No versions yet'><p>Generate one above.</p></Empty>}>
          {(items) => <Table
            columns={['Version', 'Origin', { numeric: 'Requirements' }, 'Checks', 'Made', { unseen: 'Compare' }]}
          >
            {items.map((version) => <tr key={version.version}>
              <td>v{version.version}{version.version === session.approved_version && ' (approved)'}</td>
              <td>{version.origin}</td><td class='numeric'>{version.requirements}</td>
              <td><StateBadge state={version.check_verdict} /></td>
              <td class='nowrap'><Time at={version.created_at} /></td>
              <td><button
                type='button' class='small' onClick={() => { shown.value = version.version }}
              >What changed<span class='unseen'> in v{version.version}</span>
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
