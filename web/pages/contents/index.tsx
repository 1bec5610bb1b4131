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

type Item = Schemas['ContentSummary']
const statuses = {
  '': 'Any state',
  draft: 'Drafts',
  in_review: 'In review',
  approved: 'Approved',
  scheduled: 'Scheduled',
  published: 'Published',
  archived: 'Archived'
} as const

const NoContent = () => <Empty icon={Newspaper} title='No content here'>
  <p>Content comes from a <Link href='/briefs'>brief</Link>, or is written by hand. The project's brand checks it.</p>
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
      <Plus size={16} aria-hidden='true' />Write
    </button>
  )
  return (
    <div class='page'>
      <PageHead title='Content' actions={add}>Write, check against the brand, approve and publish.</PageHead>
      <Tabs label='Parts of content' tabs={contentTabs} current='/content' />
      <div class='filters'>
        <ProjectChoice value={project} all />
        <PersonChoice label='Reviewer' value={reviewer} none='Any reviewer' unseen />
        <Choice label='State' value={status} options={statuses} unseen />
      </div>
      <section class='card flush' aria-label='Content'>
        <List of={contents} empty={<NoContent />}>
          {(items) => <ContentTable items={items} />}
        </List>
      </section>
      {adding.value && <NewContent onClose={() => { adding.value = false }} />}
    </div>
  )
}
