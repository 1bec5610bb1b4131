import { useSignal } from '@preact/signals'
import { FileCheck2, Plus } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Time } from '../../parts/time'
import { NewSpec } from './new-spec'

type Session = Schemas['SpecSessionSummary']

const Row = ({ session }: { session: Session }) => <tr>
  <td><Link href={`/specs/${session.session_id}`}>{session.title}</Link></td>
  <td><StateBadge state={session.state} /></td>
  <td>{session.spec_type}</td>
  <td>{session.current_version === null ? '–' : `v${session.current_version}`}</td>
  <td><StateBadge state={session.check_verdict} /></td>
  <td class='nowrap'><Time at={session.updated_at} /></td>
</tr>

const NoSpecs = () => <Empty icon={FileCheck2} title='No specs yet'>
  <p>Paste a text, notes or an issue, and make a spec of it whose every requirement says where it comes from.</p>
</Empty>

export default function SpecsPage () {
  const adding = useSignal(false)
  const sessions = usePages<Session>([], (cursor, signal) =>
    body(api.GET('/pse/sessions', { params: { query: { limit: 50, cursor } }, signal })))
  const add = (
<button type='button' class='primary' onClick={() => { adding.value = true }}>
    <Plus size={16} aria-hidden='true' />New spec
</button>
  )
  return (
    <div class='page'>
      <PageHead title='Specs' actions={add}>Requirements with their sources, checked by rules.</PageHead>
      <section class='card flush' aria-label='Specs'>
        <List of={sessions} empty={<NoSpecs />}>
          {(items) => <div class='table' tabIndex={0}>
            <table>
              <thead><tr><th scope='col'>Spec</th><th scope='col'>State</th><th scope='col'>Type</th>
                <th scope='col'>Version</th><th scope='col'>Checks</th><th scope='col'>Changed</th>
              </tr>
              </thead>
              <tbody>{items.map((session) => <Row key={session.session_id} session={session} />)}</tbody>
            </table>
          </div>}
        </List>
      </section>
      {adding.value && <NewSpec onClose={() => { adding.value = false }} />}
    </div>
  )
}
