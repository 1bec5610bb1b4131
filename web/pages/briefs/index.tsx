import { NotebookPen, Plus } from '../../parts/icons'
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
import { channels } from '../contents/channels'
import { contentTabs } from '../contents/content-tabs'
import { say, sayEach } from '../../texts/say'

type Brief = Schemas['Brief']
const statuses = {
  '': 'contents.state.any',
  draft: 'contents.state.draft',
  ready: 'brief.state.ready',
  in_use: 'brief.state.inUse',
  done: 'brief.state.done',
  archived: 'contents.state.archived'
} as const

const Row = ({ brief }: { brief: Brief }) => <tr>
  <td><Link href={`/briefs/${brief.id}`}>{brief.title}</Link>
    <div class='small muted'>{brief.key_message}</div>
  </td>
  <td><StateBadge state={brief.status} /></td>
  <td>{brief.channels.map(({ channel }) => say(channels[channel])).join(', ')}</td>
  <td class='nowrap'><Time at={brief.due_at} /></td>
  <td class='nowrap'><Time at={brief.updated_at} /></td>
</tr>

const NoBriefs = () => <Empty icon={NotebookPen} title={say('brief.none')}>
  <p>{say('brief.none.words')}</p>
</Empty>

export default function BriefsPage () {
  const { project } = useFilters(['project'])
  const status = useChoice('state', statuses, '')
  const filter = { project_id: project.value || undefined, status: status.value || undefined }
  const briefs = usePages<Brief>([project.value, status.value], (cursor, signal) =>
    body(api.GET('/content/briefs', { params: { query: { limit: 30, cursor, ...filter } }, signal })))
  const add = (
    <Link class='button primary' href='/briefs/new'><Plus size={16} aria-hidden='true' />{say('brief.new')}</Link>
  )
  return (
    <div class='page'>
      <PageHead title={say('palette.briefs')} guide='content' actions={add}>{say('brief.words')}</PageHead>
      <Tabs label={say('contents.parts')} tabs={contentTabs()} current='/briefs' />
      <div class='filters'>
        <ProjectChoice value={project} none={say('project.all')} unseen />
        <Choice label={say('common.state')} value={status} options={sayEach(statuses)} unseen />
      </div>
      <section class='card flush' aria-label={say('palette.briefs')}>
        <List of={briefs} empty={<NoBriefs />}>
          {(items) => <Table
            columns={[
              say('brief.brief'), say('common.state'), say('brief.channels'), say('brief.due'), say('contents.changed')
            ]}
          >
            {items.map((brief) => <Row key={brief.id} brief={brief} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
