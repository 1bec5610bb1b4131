import { FileText } from 'lucide-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'

/** What the spec is made of. */
export const Inputs = ({ id }: { id: string }) => {
  const inputs = usePages<Schemas['SpecInput']>([id], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/inputs',
    { params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal })))
  return (
    <section class='card flush' aria-label='Inputs'>
      <List of={inputs} empty={<Empty icon={FileText} title='No inputs'><p>A spec is made of texts.</p></Empty>}>
        {(items) => <div class='table' tabIndex={0}>
          <table>
            <thead><tr><th scope='col'>Input</th><th scope='col'>Kind</th><th scope='col'>Trust</th>
              <th scope='col'>Added</th>
            </tr>
            </thead>
            <tbody>{items.map((input) => <tr key={input.input_id}>
              <td>{input.label}</td><td>{input.kind}</td><td><Badge>{input.trust}</Badge></td>
              <td class='nowrap'><Time at={input.created_at} /></td>
            </tr>)}
            </tbody>
          </table>
        </div>}
      </List>
    </section>
  )
}
