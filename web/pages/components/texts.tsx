import { DataTable } from '../../parts/data-table'
import { Diff } from '../../parts/diff'
import { LogLines, type Line } from '../../parts/log-lines'
import { LogView } from '../../parts/log-view'
import { InlineMarkdown, Markdown } from '../../parts/markdown'
import { MarkedText } from '../../parts/marked-text'
import { MetricCharts } from '../../parts/metric-chart'
import { PageHtml } from '../../parts/page-html'
import { Picture } from '../../parts/picture'
import { Table } from '../../parts/table'
import { UnifiedDiff } from '../../parts/unified-diff'
import { Result } from '../../parts/value'
import { Part } from './part'

const at = '2026-01-02T03:04:05Z'
const lines: Line[] = [
  { key: '1', at, tag: 'web', text: 'INFO listening on 8080' },
  { key: '2', at, tag: 'web', text: 'WARN a request took 2 s' },
  { key: '3', at, tag: 'worker', text: 'ERROR the queue does not answer', bad: true }
]
const point = (minute: number, value: number) => ({ at: new Date(Date.parse(at) + minute * 60_000).toISOString(), value })
const series = {
  id: 'cpu',
  label: 'CPU',
  namespace: 'AWS/ECS',
  metric: 'CPUUtilization',
  dimensions: { ServiceName: 'web' },
  unit: 'percent',
  statistic: 'Average',
  status: 'data',
  reason: null
} as const
const measured = [point(0, 12), point(1, 40), point(2, 31), point(5, 64)]
const last = point(5, 64)
const metrics = {
  resource_id: 'a~eu-west-1~prod~web',
  account_id: 'a',
  account_name: 'Shop',
  region: 'eu-west-1',
  since: at,
  until: point(6, 0).at,
  period_seconds: 60,
  notes: ['What is behind the load balancer was not read'],
  read_at: at,
  series: [
    { ...series, points: measured, summary: { sum: null, average: 36.75, max: 64, last } },
    { ...series, id: 'memory', label: 'Memory', metric: 'MemoryUtilization', status: 'no_data' as const, points: [], summary: null }
  ]
}
const markdown = `Words, **bold**, *slanted*, \`code\` and [a link](https://example.com/).

1. One
2. Two

- [x] Done
- [ ] Not done

| Service | Running |
|---|---|
| web | 2 |

> A quotation

\`\`\`ts
const desired = 2
\`\`\`
`
const rows = [
  { name: 'web', status: 'healthy', running: 2 }, { name: 'worker', status: 'failed', running: 0 }
]
const diff = '@@ -1,2 +1,2 @@\n name: web\n-image: web:1.4.0\n+image: web:1.5.0\n'

/** What shows data and long texts. */
export const Texts = () => <>
  <Part name='table'>
    <Table columns={['Name', 'State', { numeric: 'Running' }]}>
      {rows.map(({ name, status, running }) => <tr key={name}>
        <td>{name}</td><td>{status}</td><td class='numeric'>{running}</td>
      </tr>)}
    </Table>
  </Part>
  <Part name='data-table'><DataTable rows={rows} columns={['name', 'status', 'running']} /></Part>
  <Part name='value'><Result value={{ name: 'web', status: 'healthy', created_at: at, tags: [] }} /></Part>
  <Part name='markdown'><Markdown text={markdown} /><p><InlineMarkdown text='In a **line**' /></p></Part>
  <Part name='page-html'><PageHtml html='<h4>As a target gets it</h4><p>A paragraph.</p>' /></Part>
  <Part name='marked-text'>
    <MarkedText
      text='Pay with synergy, which is stored.' marks={[
        { id: 'a', start: 9, end: 16, tone: 'bad', title: 'Banned' },
        { id: 'b', start: 24, end: 33, tone: 'info', title: 'Passive' }
      ]}
    />
  </Part>
  <Part name='diff'>
    <Diff
      label='A difference' parts={[
        { op: 'equal', text: 'Doors must open within ' }, { op: 'delete', text: '3' }, { op: 'insert', text: '2' },
        { op: 'equal', text: ' seconds.' }
      ]}
    />
  </Part>
  <Part name='unified-diff'><UnifiedDiff label='A difference of files' text={diff} /></Part>
  <Part name='log-lines'><LogLines label='Lines that were read' lines={lines} empty='Nothing' /></Part>
  <Part name='log-view'><LogView label='Live lines' lines={lines} state='live' problem={undefined} /></Part>
  <Part name='metric-chart'><MetricCharts metrics={metrics} /></Part>
  <Part name='picture'><Picture url='https://example.com/a.png' alt='A picture of another site' /></Part>
</>
