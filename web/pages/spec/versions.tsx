import { History } from 'lucide-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'

export const Versions = ({ id }: { id: string }) => {
  const versions = usePages<Schemas['SpecVersionSummary']>([id], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/versions',
    { params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal })))
  return (
    <section class='card flush' aria-label='Versions'>
      <List of={versions} empty={<Empty icon={History} title='No versions yet'><p>Generate one above.</p></Empty>}>
        {(items) => <div class='table' tabIndex={0}>
          <table>
            <thead><tr><th scope='col'>Version</th><th scope='col'>Origin</th><th scope='col'>Requirements</th>
              <th scope='col'>Checks</th><th scope='col'>Made</th>
            </tr>
            </thead>
            <tbody>{items.map((version) => <tr key={version.version}>
              <td>v{version.version}</td><td>{version.origin}</td><td>{version.requirements}</td>
              <td><StateBadge state={version.check_verdict} /></td>
              <td class='nowrap'><Time at={version.created_at} /></td>
            </tr>)}
            </tbody>
          </table>
        </div>}
      </List>
    </section>
  )
}
