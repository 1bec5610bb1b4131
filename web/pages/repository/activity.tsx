import { Activity as Icon } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, formatState } from '../../parts/badge'
import { List } from '../../parts/list'
import { Notice } from '../../parts/notice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Item = Schemas['ActivityItem']

const Nothing = () => <Empty icon={Icon} title={say('repository.activity.none')}>
  <p>{say('repository.activity.words')}</p>
</Empty>

/** The activity in the repository, from webhooks and from polling. */
export const Activity = ({ id }: { id: string }) => {
  const activity = usePages<Item, Schemas['ActivityPage']>([id], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/activity', { params: { path: { repo_id: id }, query: { limit: 30, cursor } }, signal })))
  return (
<>
    {activity.data?.stale && <Notice tone='warn'>{say('repository.stale')}</Notice>}
    <List of={activity} empty={<Nothing />}>
      {(items) => <Table
        columns={[say('build.when'), say('repository.kind'), say('repository.what'), say('repository.who')]}
      >
        {items.map((item) => <tr key={item.id}>
            <td class='nowrap'><Time at={item.occurred_at} /></td><td><Badge>{formatState(item.type)}</Badge></td>
            <td>{translate('activity', item.summary)}</td><td class='nowrap'>{item.actor ?? '–'}</td>
        </tr>)}
      </Table>}
    </List>
</>
  )
}
