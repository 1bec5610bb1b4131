import { Newspaper } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { ContentTable } from '../contents/content-table'
import { say } from '../../texts/say'

/** The content that was made from the brief. */
export const Drafts = ({ brief }: { brief: Schemas['Brief'] }) => {
  const contents = usePages<Schemas['ContentSummary']>([brief.id, brief.revision], (cursor, signal) =>
    body(api.GET('/content', { params: { query: { limit: 30, cursor, brief_id: brief.id } }, signal })))
  return (
    <section class='card flush' aria-label={say('brief.drafts')}>
      <header><h2>{say('brief.drafts')}</h2></header>
      <List
        of={contents}
        empty={<Empty icon={Newspaper} title={say('brief.drafts.none')}><p>{say('brief.drafts.words')}</p></Empty>}
      >
        {(items) => <ContentTable items={items} />}
      </List>
    </section>
  )
}
