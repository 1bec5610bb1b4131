import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { useResource } from '../../api/resource'
import { Badge } from '../../parts/badge'
import { Choice } from '../../parts/form'
import { FileText } from '../../parts/icons'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { listTabs } from '../triggers/words'
import { say, sayWith } from '../../texts/say'

type Report = Schemas['ReportSummary']

const Row = ({ report, names }: { report: Report, names: Record<string, string> }) => <tr>
  <td><Link href={`/reports/${report.id}`}>{report.title}</Link>{' '}
    {report.resolved_at && <Badge tone='good'>{say('firing.resolved')}</Badge>}
  </td>
  <td><Link href={`/triggers/${report.trigger_id}`}>{names[report.trigger_id] ?? say('report.itsTrigger')}</Link></td>
  <td>{report.unsupported > 0
    ? <Badge tone='warn'>{say('report.marked', { count: report.unsupported })}</Badge>
    : say('report.noneMarked')}
  </td>
  <td class='nowrap'><Time at={report.created_at} /></td>
</tr>

const NoReports = () => <Empty icon={FileText} title={say('report.none')}>
  <p>{sayWith('report.none.words', { trigger: <Link href='/triggers'>{say('report.trigger')}</Link> })}
  </p>
</Empty>

/** With what the runs of my triggers ended. */
export default function ReportsPage () {
  const { trigger } = useFilters(['trigger'])
  const triggers = useResource([], (signal) =>
    body(api.GET('/api/v1/agent/triggers', { params: { query: { limit: 100 } }, signal })))
  const names = Object.fromEntries((triggers.data?.items ?? []).map(({ id, name }) => [id, name]))
  const filter = { trigger_id: trigger.value || undefined }
  const reports = usePages<Report>([trigger.value], (cursor, signal) => body(api.GET('/api/v1/agent/reports',
    { params: { query: { limit: 30, cursor, ...filter } }, signal })), { every: 15_000 })
  return (
    <div class='page'>
      <PageHead title={say('report.title')} guide='triggers#what-is-in-a-report'>{say('report.words')}</PageHead>
      <Tabs label={say('trigger.parts')} tabs={listTabs()} current='/reports' />
      <div class='filters'>
        <Choice
          label={say('trigger.one')} value={trigger} options={{ '': say('report.allTriggers'), ...names }} unseen
        />
      </div>
      <section class='card flush' aria-label={say('report.title')}>
        <List of={reports} empty={<NoReports />}>
          {(items) => <Table columns={[
            say('firing.report'), say('trigger.one'), say('report.sentences'), say('common.when')
          ]}
          >
            {items.map((report) => <Row key={report.id} report={report} names={names} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
