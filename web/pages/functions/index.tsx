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

const NoFunctions = () => <Empty icon={Zap} title='No functions'>
  <p>No account has a Lambda function in its regions. <Link href='/accounts'>Check the accounts</Link>.</p>
</Empty>

export default function FunctionsPage () {
  const functions = usePages<Item, Schemas['FunctionPage']>([], (cursor, signal) =>
    body(api.GET('/infrastructure/serverless/functions', { params: { query: { limit: 50, cursor } }, signal })))
  return (
    <div class='page'>
      <PageHead title='Functions'>Serverless functions, in all accounts and regions.</PageHead>
      <PartialNotice of={functions.data} />
      <section class='card flush' aria-label='Functions'>
        <List of={functions} empty={<NoFunctions />}>
          {(items) => <Table
            columns={['Function', 'Runtime', 'Region', { numeric: 'Memory' }, { numeric: 'Code' }, 'Changed']}
          >
            {items.map((item) => <Row key={item.id} item={item} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
