import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Link } from 'wouter-preact'
import { CircleCheck } from '../../parts/icons'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { me } from '../../shell/session'
import { ContentTable } from '../contents/content-table'
import { contentTabs } from '../contents/content-tabs'

type Item = Schemas['ContentSummary']
interface Filter { reviewer?: string, status?: Item['status'], source_changed?: boolean }

const Section = ({ title, filter, nothing }: { title: string, filter: Filter, nothing: string }) => {
  const items = usePages<Item>([JSON.stringify(filter)], (cursor, signal) =>
    body(api.GET('/content', { params: { query: { limit: 30, cursor, ...filter } }, signal })))
  return (
    <section class='card flush' aria-label={title}>
      <header><h2>{title}</h2></header>
      <List of={items} empty={<Empty icon={CircleCheck} title={nothing} />}>
        {(found) => <ContentTable items={found} />}
      </List>
    </section>
  )
}

/** What waits for the person who looks: reviews, and translations whose source has moved on. */
export default function DeskPage () {
  const user = me.value?.user.id
  return (
    <div class='page'>
      <PageHead title='Desk'>What waits for you. The <Link href='/content/calendar'>calendar</Link> has what is
        scheduled.
      </PageHead>
      <Tabs label='Parts of content' tabs={contentTabs} current='/content/desk' />
      {user !== undefined && <>
        <Section title='Waits for my review' filter={{ reviewer: user, status: 'in_review' }} nothing='Nothing waits' />
        <Section title='I am the reviewer' filter={{ reviewer: user }} nothing='No text was given to you' />
      </>}
      <Section title='Translations behind' filter={{ source_changed: true }} nothing='All are up to date' />
    </div>
  )
}
