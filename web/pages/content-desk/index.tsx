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
import { say, sayWith } from '../../texts/say'

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
      <PageHead title={say('contents.desk')} guide='content#the-desk'>
        {sayWith('desk.words', { calendar: <Link href='/content/calendar'>{say('desk.calendar')}</Link> })}
      </PageHead>
      <Tabs label={say('contents.parts')} tabs={contentTabs()} current='/content/desk' />
      {user !== undefined && <>
        <Section
          title={say('desk.mine')} filter={{ reviewer: user, status: 'in_review' }} nothing={say('desk.mine.none')}
        />
        <Section title={say('desk.reviewing')} filter={{ reviewer: user }} nothing={say('desk.reviewing.none')} />
      </>}
      <Section title={say('desk.behind')} filter={{ source_changed: true }} nothing={say('desk.behind.none')} />
    </div>
  )
}
