import { Zap } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { List } from '../../parts/list'
import { formatSize } from '../../parts/money'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say, sayWith } from '../../texts/say'

type Item = Schemas['ServerlessFunction']

const Row = ({ item }: { item: Item }) => <tr>
  <td><Link href={`/functions/${encodeURIComponent(item.id)}`}>{item.name}</Link>
    <div class='small muted'>{item.description}</div>
  </td>
  <td class='nowrap'>{item.runtime ?? item.package_type}</td>
  <td class='nowrap'>{item.region}</td>
  <td class='numeric'>{item.memory_mb} MB</td>
  <td class='numeric nowrap'>{formatSize(item.code_size)}</td>
  <td><Time at={item.last_modified} /></td>
</tr>

const NoFunctions = () => <Empty icon={Zap} title={say('function.none')}>
  <p>{sayWith('function.none.words', { link: <Link href='/accounts'>{say('cloud.checkAccounts')}</Link> })}</p>
</Empty>

export default function FunctionsPage () {
  const functions = usePages<Item, Schemas['FunctionPage']>([], (cursor, signal) =>
    body(api.GET('/infrastructure/serverless/functions', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='page'>
      <PageHead title={say('nav.functions')} guide='web-client'>{say('function.words')}</PageHead>
      <PartialNotice of={functions.data} />
      <section class='card flush' aria-label={say('nav.functions')}>
        <List of={functions} empty={<NoFunctions />}>
          {(items) => <Table
            columns={[
              say('function.function'), say('function.runtime'), say('function.region'),
              { numeric: say('function.memory') }, { numeric: say('function.code') }, say('function.changed')
            ]}
          >
            {items.map((item) => <Row key={item.id} item={item} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
