import { useSignal } from '@preact/signals'
import { FileCheck2, Plus } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { Choice } from '../../parts/form'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { ProjectChoice } from '../../parts/project-choice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { useChoice, useFilters } from '../../shell/location'
import { NewSpec } from './new-spec'
import { types } from './spec-fields'
import { specTabs } from './spec-tabs'
import { say, sayEach } from '../../texts/say'

type Session = Schemas['SpecSessionSummary']
const states = {
  '': 'specs.state.any',
  open: 'specs.state.open',
  needs_input: 'specs.state.questions',
  generating: 'specs.state.generating',
  review: 'specs.state.review',
  approved: 'specs.state.approved',
  archived: 'specs.state.archived'
} as const

const Row = ({ session }: { session: Session }) => <tr>
  <td><Link href={`/specs/${session.session_id}`}>{session.title}</Link></td>
  <td><StateBadge state={session.state} /></td>
  <td>{say(types[session.spec_type])}</td>
  <td>{session.current_version === null ? '–' : `v${session.current_version}`}</td>
  <td><StateBadge state={session.check_verdict} /></td>
  <td class='nowrap'><Time at={session.updated_at} /></td>
</tr>

const NoSpecs = () => <Empty icon={FileCheck2} title={say('specs.none')}>
  <p>{say('specs.none.words')}</p>
</Empty>

export default function SpecsPage () {
  const adding = useSignal(false)
  const { project } = useFilters(['project'])
  const state = useChoice('state', states, '')
  const filter = { project_id: project.value || undefined, state: state.value || undefined }
  const sessions = usePages<Session>([project.value, state.value], (cursor, signal) =>
    body(api.GET('/pse/sessions', { params: { query: { limit: 50, cursor, ...filter } }, signal })))
  const add = (
    <button type='button' class='primary' onClick={() => { adding.value = true }}>
      <Plus size={16} aria-hidden='true' />{say('specs.new')}
    </button>
  )
  return (
    <div class='page'>
      <PageHead title={say('nav.specs')} guide='specs' actions={add}>{say('specs.words')}</PageHead>
      <Tabs label={say('specs.parts')} tabs={specTabs()} current='/specs' />
      <div class='filters'>
        <ProjectChoice value={project} none={say('project.all')} unseen />
        <Choice label={say('specs.state')} value={state} options={sayEach(states)} unseen />
      </div>
      <section class='card flush' aria-label={say('nav.specs')}>
        <List of={sessions} empty={<NoSpecs />}>
          {(items) => <Table
            columns={[
              say('specs.spec'), say('specs.state'), say('specs.about'), say('specs.version'), say('specs.checks'),
              say('specs.changed')
            ]}
          >
            {items.map((session) => <Row key={session.session_id} session={session} />)}
          </Table>}
        </List>
      </section>
      {adding.value && <NewSpec onClose={() => { adding.value = false }} />}
    </div>
  )
}
