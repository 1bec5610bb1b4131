import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { useNames } from '../../api/people'
import { Badge, StateBadge, toneOf } from '../../parts/badge'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { formatChannel } from './channels'
import { say } from '../../texts/say'

type Item = Schemas['ContentSummary']

const Row = ({ item, reviewer }: { item: Item, reviewer: string | undefined }) => <tr>
  <td><Link href={`/content/${item.id}`}>{item.title}</Link></td>
  <td><StateBadge state={item.status} />{item.has_unpublished_changes &&
    <> <Badge tone='warn'>{say('contents.changedSince')}</Badge></>}
    {item.source_changed && <> <Badge tone='warn'>{say('contents.sourceMoved')}</Badge></>}
  </td>
  <td>{reviewer ?? <span class='muted'>–</span>}</td>
  <td class='nowrap'>{formatChannel(item)} · {item.locale}</td>
  <td class='numeric'><Badge tone={toneOf(item.verdict)}>{item.score}</Badge></td>
  <td class='nowrap'><Time at={item.updated_at} /></td>
</tr>

export const ContentTable = ({ items }: { items: Item[] }) => {
  const names = useNames()
  const nameOf = ({ reviewer }: Item) => reviewer === null ? undefined : names[reviewer] ?? say('contents.left')
  return (
    <Table
      columns={[
        say('contents.title'), say('common.state'), say('contents.reviewer'), say('contents.channel'),
        { numeric: say('contents.score') }, say('contents.changed')
      ]}
    >
      {items.map((item) => <Row key={item.id} item={item} reviewer={nameOf(item)} />)}
    </Table>
  )
}
