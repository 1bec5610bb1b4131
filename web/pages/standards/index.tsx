import { Plus, ScrollText } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { kinds, titleOf } from '../standard/kinds'
import { specTabs } from '../specs/spec-tabs'
import { say } from '../../texts/say'

type Standard = Schemas['StandardSummary']

const Row = ({ standard }: { standard: Standard }) => <tr>
  <td><Link href={`/standards/${standard.standard_id}`}>{titleOf(standard)}</Link>
    <div class='small muted mono'>{standard.key}</div>
  </td>
  <td>{say(kinds[standard.kind])}</td>
  <td><StateBadge state={standard.status} /></td>
  <td class='numeric'>{standard.rule_count}</td>
  <td>v{standard.version}</td>
  <td class='nowrap'><Time at={standard.updated_at} /></td>
</tr>

const NoStandards = () => <Empty icon={ScrollText} title={say('standard.none')}>
  <p>{say('standard.none.words')}</p>
</Empty>

/** The standards by which specs are checked. */
export default function StandardsPage () {
  const standards = usePages<Standard>([], (cursor, signal) =>
    body(api.GET('/pse/standards', { params: { query: { limit: 50, cursor } }, signal })))
  const add = (
    <Link class='button primary' href='/standards/new'><Plus size={16} aria-hidden='true' />{say('standard.new')}</Link>
  )
  return (
    <div class='page'>
      <PageHead title={say('palette.standards')} guide='specs#standards' actions={add}>
        {say('standard.words')}
      </PageHead>
      <Tabs label={say('specs.parts')} tabs={specTabs()} current='/standards' />
      <section class='card flush' aria-label={say('palette.standards')}>
        <List of={standards} empty={<NoStandards />}>
          {(items) => <Table
            columns={[
              say('standard.standard'), say('standard.kind'), say('standard.status'),
              { numeric: say('standard.rules') }, say('specs.version'), say('specs.changed')
            ]}
          >
            {items.map((standard) => <Row key={standard.standard_id} standard={standard} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
