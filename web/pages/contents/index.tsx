import { useSignal } from '@preact/signals'
import { Newspaper, Plus } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Choice } from '../../parts/form'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { PersonChoice } from '../../parts/person-choice'
import { ProjectChoice } from '../../parts/project-choice'
import { Empty } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { useChoice, useFilters } from '../../shell/location'
import { ContentTable } from './content-table'
import { contentTabs } from './content-tabs'
import { NewContent } from './new-content'
import { say, sayEach, sayWith } from '../../texts/say'

type Item = Schemas['ContentSummary']
const statuses = {
  '': 'contents.state.any',
  draft: 'contents.state.draft',
  in_review: 'contents.state.review',
  approved: 'contents.state.approved',
  scheduled: 'contents.state.scheduled',
  published: 'contents.state.published',
  archived: 'contents.state.archived'
} as const

const NoContent = () => <Empty icon={Newspaper} title={say('contents.none')}>
  <p>{sayWith('contents.none.words', { brief: <Link href='/briefs'>{say('contents.none.brief')}</Link> })}</p>
</Empty>

/** All content, in every state from draft to published. */
export default function ContentsPage () {
  const adding = useSignal(false)
  const { project, reviewer } = useFilters(['project', 'reviewer'])
  const status = useChoice('state', statuses, '')
  const filter = {
    project_id: project.value || undefined, status: status.value || undefined, reviewer: reviewer.value || undefined
  }
  const contents = usePages<Item>([project.value, status.value, reviewer.value], (cursor, signal) =>
    body(api.GET('/content', { params: { query: { limit: 30, cursor, ...filter } }, signal })))
  const add = (
    <button type='button' class='primary' onClick={() => { adding.value = true }}>
      <Plus size={16} aria-hidden='true' />{say('contents.write')}
    </button>
  )
  return (
    <div class='page'>
      <PageHead title={say('nav.content')} guide='content' actions={add}>{say('contents.words')}</PageHead>
      <Tabs label={say('contents.parts')} tabs={contentTabs()} current='/content' />
      <div class='filters'>
        <ProjectChoice value={project} none={say('project.all')} unseen />
        <PersonChoice label={say('contents.reviewer')} value={reviewer} none={say('contents.reviewer.any')} unseen />
        <Choice label={say('common.state')} value={status} options={sayEach(statuses)} unseen />
      </div>
      <section class='card flush' aria-label={say('nav.content')}>
        <List of={contents} empty={<NoContent />}>
          {(items) => <ContentTable items={items} />}
        </List>
      </section>
      {adding.value && <NewContent onClose={() => { adding.value = false }} />}
    </div>
  )
}
