import { body, type Schemas } from 'steward-client'
import { fieldsOf, given, type Command } from '../command.js'
import { reportErrors } from '../sources.js'
import { oneLine } from '../text.js'

type Report = Schemas['CostReport']

const percent = (share: string): string => `${(Number(share) * 100).toFixed(1)} %`

export const costs: Command = {
  words: [],
  summary: 'shows what the cloud costs, by service; this month, unless you say otherwise',
  options: {
    from: { value: 'DAY', summary: 'first day, such as 2026-11-01' },
    to: { value: 'DAY', summary: 'last day, included' },
    by: { value: 'GROUP', summary: 'SERVICE, LINKED_ACCOUNT, REGION, USAGE_TYPE, RECORD_TYPE or TAG:key; two with a comma' },
    account: { value: 'ID', summary: 'only this cloud account' }
  },
  fields: fieldsOf<Report>()('account_ids', 'start_date', 'end_date', 'time_period', 'granularity', 'metric', 'estimated',
    'totals', 'credits', 'periods', 'by_group', 'adjustments', 'source', 'partial', 'errors'),
  run: async (input) => {
    const { context: { terminal, connection }, results } = input
    const query = given({
      start_date: input.text('from'),
      end_date: input.text('to'),
      group_by: input.text('by'),
      account_id: input.text('account')
    })
    terminal.progress('Reading the costs …')
    const report = await body(connection.steward.api.GET('/cloud/costs', { params: { query } }))
    if (results.isJson) {
      results.json(report)
      return reportErrors(terminal, report.errors)
    }
    results.list(report.by_group, [
      { title: 'GROUP', of: ({ keys }) => keys.join(', ') },
      { title: 'AMOUNT', of: ({ amount }) => amount, shown: ({ amount }) => Number(amount).toFixed(2) },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'SHARE', of: ({ share }) => share, shown: ({ share }) => percent(share) }
    ], 'There are no costs.')
    const total = report.totals.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ') || 'nothing'
    const estimated = report.estimated ? ', of which AWS may change some' : ''
    terminal.note(oneLine(`${report.start_date} to ${report.end_date}: ${total}${estimated}`))
    for (const adjustment of report.adjustments) terminal.note(oneLine(adjustment))
    return reportErrors(terminal, report.errors)
  }
}
