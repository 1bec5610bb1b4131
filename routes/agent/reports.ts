import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listProposals } from '../../db/agent/firings.js'
import { findReport, listReports } from '../../db/agent/reports.js'
import { paginateById } from '../../lib/http/paginate.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { ListReports, Report, ReportPage, ReportParams } from '../../schemas/agent/reports.js'
import { ReportNotFound } from './lib/errors.js'
import { redact } from '../../lib/security/redaction.js'

const tags = ['agent']

const reports: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/reports', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listReports',
      summary: 'My reports',
      description: 'With what the runs of my schedules and triggers ended, newest first. `resolved_at` is the time ' +
        'at which the alert was over.',
      tags,
      querystring: ListReports,
      response: { 200: ReportPage }
    }
  }, ({ principal, query }) => paginateById(app, {
    principal, list: 'reports', filter: query.trigger_id ?? null, query
  }, (slice) => listReports(app.db, principal.workspace_id, principal.user_id, query.trigger_id, slice)))

  app.get('/reports/:report_id', {
    config: { errors: [ReportNotFound] },
    schema: {
      operationId: 'getReport',
      summary: 'One report, sentence by sentence',
      description: 'Each sentence with the calls whose results it cites, and with the numbers and names that are in ' +
        'none of them. Code compares them with the whole results; it does not judge whether the sentence is true.',
      tags,
      params: ReportParams,
      response: { 200: Report }
    }
  }, async ({ principal, params }) => {
    const { workspace_id, user_id } = principal
    const report = await findReport(app.db, workspace_id, user_id, params.report_id)
    if (!report) throw ReportNotFound()
    const proposals = await listProposals(app.db, workspace_id, report.firing_id)
    return { ...report, alert: redact(report.alert), proposals: proposals.map(({ tool_call_id: id }) => id) }
  })
}

export default reports
