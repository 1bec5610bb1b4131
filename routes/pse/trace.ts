import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { codehostErrors, RepoNotFound } from '../../schemas/codehost/errors.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import { SpecTrace, TraceQuery } from '../../schemas/pse/trace.js'
import { NoVersion } from './lib/errors.js'
import { specFields } from './lib/field-words.js'
import { traceSpec } from './lib/trace/trace-spec.js'

const trace: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/trace', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which requirements of a spec are implemented: proposed, merged or deployed.',
        gives: 'each requirement with the sentences it stands on, and the pull requests, checks, commits and ' +
          'deployments that name its id.',
        keywords: 'trace traceability requirement implemented merged deployed progress coverage pull requests ' +
          'rückverfolgbarkeit umgesetzt traçabilité exigences trazabilidad requisitos fusionados トレーサビリティ 要件',
        fields: specFields
      },
      errors: [NoVersion, RepoNotFound, ...codehostErrors]
    },
    schema: {
      operationId: 'traceSpec',
      summary: 'Trace the requirements of a spec',
      description: 'Links each requirement with the pull requests whose title, text or branch names its id or ' +
        'closes an issue of its tasks, with the commits of the default branch that do so, ' +
        ' and with the apps that run such a commit. Where a ' +
        'repository has several specs, write the spec\'s name before the id: parcel-lockers/FR-001. It reads the ' +
        'newest 300 pull requests and commits of a repository, and says so.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: TraceQuery,
      response: { 200: SpecTrace }
    }
  }, ({ principal, params, query }) => traceSpec(app, principal, params.session_id, query))
}

export default trace
