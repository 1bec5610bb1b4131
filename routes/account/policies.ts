import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listVersions } from '../../db/account/policies.js'
import { paginate } from '../../lib/http/paginate.js'
import type { Access } from '../../lib/security/principal.js'
import {
  EnablePolicies, EvaluatePolicies, Policies, PolicyDiffQuery, PolicySchema, PolicyVerdict, PolicyVersionDiff,
  PolicyVersionPage, PolicyVersionParams, PolicyVersionQuery, PutPolicies, Replay, ReplayPolicies
} from '../../schemas/account/policies.js'
import { InvalidCursor, NotFound, Overloaded } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { ExamplesFail, NotReplayed, PoliciesInvalid, StaleDraft, UnknownTool, requireUnscoped } from './lib/errors.js'
import {
  diffVersions, enablePolicies, putPolicies, showPolicies, showSchema, toVersion, evaluatePolicies, replayPolicies
} from './lib/settings/policies.js'

const adminReads: Access = { scope: 'account:read', role: 'admin' }
const adminWrites: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'policies decide what needs an approval: no token with scopes writes them' }
const why = 'Policies decide what needs an approval'
const tags = ['account']

/** What holds, its draft and its history. */
const reading: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/policies', {
    config: { access: adminReads, errors: [Overloaded] },
    schema: {
      operationId: 'getPolicies',
      summary: 'Read the policies',
      description: 'For admins: the version that holds, and the draft with its difference from it, what its examples ' +
        'give and what its replay said. The ETag is the draft\'s revision.',
      tags,
      response: { 200: Policies }
    }
  }, async ({ principal }, reply) => {
    const policies = await showPolicies(app, principal.workspace_id)
    reply.header('etag', etag(policies.revision))
    return policies
  })

  app.get('/policies/schema', {
    config: { access: adminReads, errors: [Overloaded] },
    schema: {
      operationId: 'getPolicySchema',
      summary: 'Read what policies may say',
      description: 'For admins: the schema that policies are validated against, made of the tools that write.',
      tags,
      response: { 200: PolicySchema }
    }
  }, async ({ principal }) => ({ schema: await showSchema(app, principal.workspace_id) }))

  app.get('/policies/versions', {
    config: { access: adminReads, errors: [InvalidCursor] },
    schema: {
      operationId: 'listPolicyVersions',
      summary: 'List versions of the policies',
      description: 'For admins: what was enabled, newest first. The newest holds.',
      tags,
      querystring: PolicyVersionQuery,
      response: { 200: PolicyVersionPage }
    }
  }, async ({ principal, query }) => {
    const page = await paginate(app, { principal, list: 'policy-versions', query }, (after, limit) =>
      listVersions(app.db, principal.workspace_id, after && Number(after[0]), limit), ({ version }) => [version])
    return { ...page, items: page.items.map(toVersion) }
  })

  app.get('/policies/versions/:version', {
    config: { access: adminReads },
    schema: {
      operationId: 'getPolicyVersion',
      summary: 'Read a version of the policies',
      description: 'For admins: what was enabled, and how it differs from the version before or another.',
      tags,
      params: PolicyVersionParams,
      querystring: PolicyDiffQuery,
      response: { 200: PolicyVersionDiff }
    }
  }, ({ principal, params: { version }, query: { against = version - 1 } }) =>
    diffVersions(app, principal.workspace_id, version, against))
}

/** What changes a draft, tries it and lets it hold. None of it is a tool. */
const writing: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('preHandler', async ({ principal }) => requireUnscoped(principal, why))

  app.put('/policies', {
    config: { access: adminWrites, refuses, errors: [PoliciesInvalid, StaleRevision] },
    schema: {
      operationId: 'putPolicies',
      summary: 'Save a draft of the policies',
      description: 'For admins, not through an API token with scopes. Nothing that holds changes. What does not fit ' +
        'the tools is refused with its line and column. With If-Match only if that revision is current.',
      tags,
      headers: IfMatch,
      body: PutPolicies,
      response: { 200: Policies }
    }
  }, async ({ principal, headers, body }, reply) => {
    const policies = await putPolicies(app, principal, body, readIfMatch(headers['if-match']))
    reply.header('etag', etag(policies.revision))
    return policies
  })

  app.post('/policies/replay', {
    config: { access: adminWrites, refuses, errors: [NotFound, PoliciesInvalid, StaleDraft, InvalidCursor] },
    schema: {
      operationId: 'replayPolicies',
      summary: 'Try the draft on past decisions',
      description: 'For admins, not through an API token with scopes: what the draft would have done with what ' +
        'people decided here, each case listed. People have the roles and groups of now. It changes nothing.',
      tags,
      body: ReplayPolicies,
      response: { 200: Replay }
    }
  }, ({ principal, body }) => replayPolicies(app, principal, body))

  app.post('/policies/enable', {
    config: {
      access: adminWrites,
      refuses,
      errors: [NotFound, PoliciesInvalid, StaleDraft, NotReplayed, ExamplesFail]
    },
    schema: {
      operationId: 'enablePolicies',
      summary: 'Let the draft hold',
      description: 'For admins, not through an API token with scopes: as the next version, at every instance. Only ' +
        'the very draft that was replayed, and whose examples pass. An empty one turns policies off.',
      tags,
      body: EnablePolicies,
      response: { 200: Policies }
    }
  }, async ({ principal, body }, reply) => {
    const policies = await enablePolicies(app, principal, body.digest)
    reply.header('etag', etag(policies.revision))
    return policies
  })

  app.post('/policies/evaluate', {
    config: { access: adminWrites, refuses, errors: [NotFound, PoliciesInvalid, UnknownTool] },
    schema: {
      operationId: 'evaluatePolicies',
      summary: 'Explain a request by the policies',
      description: 'For admins, not through an API token with scopes: what the policies say of a request that is ' +
        'described here, and which of them decide. It changes nothing.',
      tags,
      body: EvaluatePolicies,
      response: { 200: PolicyVerdict }
    }
  }, ({ principal, body }) => evaluatePolicies(app, principal.workspace_id, body.of, body.request))
}

const policies: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(reading)
  await app.register(writing)
}

export default policies
