import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { paginate } from '../../lib/http/paginate.js'
import { InvalidCursor, Overloaded } from '../../schemas/errors.js'
import { ListNotTaken, NotTakenPage, SpecVersionParams } from '../../schemas/pse/versions.js'
import { specFields } from './lib/field-words.js'
import { readNotTaken } from './lib/sessions/check-spec.js'
import { readVersion } from './lib/sessions/read-version.js'

const notTaken: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/versions/:version/not-taken', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see what of the inputs did not become a requirement of a spec, and why.',
        gives: 'every sentence with a normative verb that is no requirement, with its class, reason and place.',
        keywords: 'not taken left out set aside missing sentences reason why no requirement spec',
        fields: specFields
      },
      errors: [InvalidCursor, Overloaded]
    },
    schema: {
      operationId: 'listNotTaken',
      summary: 'List what a version did not take',
      description: 'Every sentence with a normative verb that is no requirement, in the order of the inputs, each ' +
        'with the reason; with all=true every other sentence too. The version itself lists the first of each class, ' +
        'and counts the others in not_taken_more.',
      tags: ['pse'],
      params: SpecVersionParams,
      querystring: ListNotTaken,
      response: { 200: NotTakenPage }
    }
  }, async ({ principal, params, query }) => {
    const { workspace_id: workspaceId } = principal
    const version = await readVersion(app.db, workspaceId, params.session_id, params.version)
    const filter = [version.session_id, version.version, query.class ?? null, query.all ?? false]
    const page = await paginate(app, { principal, list: 'pse-not-taken', filter, query }, async (after, limit) => {
      const from = after === undefined ? 0 : Number(after[0])
      const items = await readNotTaken(app.db, workspaceId, version, {
        class: query.class, isAll: query.all ?? false, from, limit
      })
      return items.map((item, at) => ({ item, next: from + at + 1 }))
    }, ({ next }) => [next])
    return { ...page, items: page.items.map(({ item }) => item) }
  })
}

export default notTaken
