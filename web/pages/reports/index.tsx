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
import { tabs } from '../triggers/words'

type Report = Schemas['ReportSummary']

const Row = ({ report, names }: { report: Report, names: Record<string, string> }) => <tr>
  <td><Link href={`/reports/${report.id}`}>{report.title}</Link>{' '}
    {report.resolved_at && <Badge tone='good'>resolved</Badge>}
  </td>
  <td><Link href={`/triggers/${report.trigger_id}`}>{names[report.trigger_id] ?? 'its trigger'}</Link></td>
  <td>{report.unsupported > 0 ? <Badge tone='warn'>{report.unsupported} marked</Badge> : 'none marked'}</td>
  <td class='nowrap'><Time at={report.created_at} /></td>
</tr>

const NoReports = () => <Empty icon={FileText} title='No reports here'>
  <p>With a report ends each run that a <Link href='/triggers'>trigger</Link> begins: what it found, and where each
    figure is from.
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
      <PageHead title='Reports'>What the runs of your triggers found.</PageHead>
      <Tabs label='Parts of triggers' tabs={tabs} current='/reports' />
      <div class='filters'>
        <Choice label='Trigger' value={trigger} options={{ '': 'All triggers', ...names }} unseen />
      </div>
      <section class='card flush' aria-label='Reports'>
        <List of={reports} empty={<NoReports />}>
          {(items) => <Table columns={['Report', 'Trigger', 'Sentences', 'When']}>
            {items.map((report) => <Row key={report.id} report={report} names={names} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
