import { Newspaper } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { ContentTable } from '../contents/content-table'

/** The content that was made from the brief. */
export const Drafts = ({ brief }: { brief: Schemas['Brief'] }) => {
  const contents = usePages<Schemas['ContentSummary']>([brief.id, brief.revision], (cursor, signal) =>
    body(api.GET('/content', { params: { query: { limit: 30, cursor, brief_id: brief.id } }, signal })))
  return (
    <section class='card flush' aria-label='Content of this brief'>
      <header><h2>Content of this brief</h2></header>
      <List of={contents} empty={<Empty icon={Newspaper} title='None yet'><p>Make drafts above.</p></Empty>}>
        {(items) => <ContentTable items={items} />}
      </List>
    </section>
  )
}
