import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { paginateById } from '../../lib/http/paginate.js'
import { findGeneration, listGenerations } from '../../db/pse/generations.js'
import { positionOf, sendStream, waitForEnd, waitOf, type Followed } from '../../lib/streams/follow.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { endEvents, FollowSpecHeaders, SpecEvent } from '../../schemas/pse/events.js'
import {
  Generated, generateDefaults, GenerateHeaders, GenerateSpec, Generation, GenerationPage, GenerationParams,
  ListGenerations
} from '../../schemas/pse/generations.js'
import { modelPlanErrors } from '../../schemas/model-budget.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import { cancelGeneration } from './lib/generation/generation-runner.js'
import { readSession } from './lib/sessions/read-version.js'
import { describeGeneration, describeGenerations, describePlan, readGenerated } from './lib/generation/describe-generation.js'
import {
  BaseVersionStale, GenerationFinished, GenerationInProgress, ItemLocked, ModelNeeded, NoUsableInputs, NoVersion,
  SessionApproved, SessionArchived, TargetUnknown
} from './lib/errors.js'
import { cancelTool, generateTool } from './lib/sessions/session-tools.js'
import { StandardUnknown } from './lib/standards/resolve-standards.js'
import { startGeneration } from './lib/generation/start-generation.js'
import { specFields } from './lib/field-words.js'

interface Following {
  workspace_id: string
  session_id: string
  /** The generation whose end ends the stream; null = the stream ends after the last stored event. */
  generation_id: string | null
  /** Position of the last stored event. */
  until?: number
  after: number
}

/** @returns the session's stream after a position; it ends with the generation */
const sessionStream = ({ workspace_id, session_id, generation_id: id, until = 0, after }: Following):
Followed => ({
  workspaceId: workspace_id,
  streamId: session_id,
  after,
  isEnd: ({ end, event, data }) => id === null
    ? end >= until
    : endEvents.includes(event) && data.generation_id === id
})

const stream = { 'text/event-stream': { schema: SpecEvent } }

const generateSchema = {
  operationId: 'generateSpec',
  summary: 'Generate the spec of a session',
  description: 'Makes the next version out of the inputs, as a job that survives a crash. Answers 200 when it ' +
    'ended within `Prefer: wait` (default 10 s), else 202 with the same body; with Accept: text/event-stream it ' +
    'streams the progress. An empty body generates the whole spec, with the configured model if there is one. A ' +
    'model\'s requirement stands only on a quote that the server finds in an input. What stops at a budget, fails or ' +
    'is cancelled makes no version; the next generation asks only for what was not answered.',
  tags: ['pse'],
  params: SpecSessionParams,
  headers: GenerateHeaders,
  body: GenerateSpec,
  response: {
    200: {
      description: 'It has ended, or with Accept: text/event-stream what happens until it has',
      content: { 'application/json': { schema: Generated }, ...stream }
    },
    202: Generated
  }
}

const generations: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sessions/:session_id/generate', {
    sse: 'manual',
    config: {
      emptyBody: generateDefaults,
      tool: generateTool,
      words: {
        foreign: false,
        use: 'Use this to make the next version of a spec out of its inputs.',
        gives: 'the generation; read it again until it has ended, then read the version.',
        keywords: 'generate write make spec specification requirements from inputs',
        fields: specFields
      },
      errors: [StaleRevision, SessionArchived, SessionApproved, GenerationInProgress, BaseVersionStale, NoUsableInputs,
        NoVersion, TargetUnknown, ModelNeeded, ItemLocked, StandardUnknown, ...modelPlanErrors]
    },
    schema: generateSchema
  }, async (request, reply) => {
    const { principal, params: { session_id }, body, headers } = request
    const { workspace_id } = principal
    const streams = /\btext\/event-stream\b/.test(headers.accept ?? '') && !body.dry_run
    if (streams) app.requireStream(principal)
    const started = await startGeneration(app, principal, session_id, body, readIfMatch(headers['if-match']))
    if ('plan' in started) return { generation: describePlan(started.plan), spec: null }
    const { id: generation_id } = started.row
    app.generations.claimSoon({ workspace_id, id: generation_id })
    const followed = sessionStream({ workspace_id, session_id, generation_id, after: started.after })
    if (streams) return app.stream(request, reply, (sink) => sendStream(app.streams, followed, sink))
    await waitForEnd(app.streams, followed, waitOf(headers.prefer) * 1_000)
    const answer = await readGenerated(app.db, workspace_id, session_id, generation_id)
    if (answer.generation.finished_at === null) {
      reply.code(202).headers({ location: `/pse/sessions/${session_id}`, 'retry-after': '5' })
    }
    return answer
  })

  app.get('/sessions/:session_id/generations', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how often a spec was generated, how each run ended and what it cost.',
        gives: 'the generations, newest first.',
        keywords: 'generations runs of spec specification cost how often',
        fields: specFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listSpecGenerations',
      summary: 'List the generations of a spec session',
      description: 'Newest first: what each was asked for, how it ended, what it cost.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ListGenerations,
      response: { 200: GenerationPage }
    }
  }, async ({ principal, params, query }) => {
    const { id } = await readSession(app.db, principal.workspace_id, params.session_id)
    const page = await paginateById(app, { principal, list: 'pse-generations', filter: id, query },
      ({ before, limit }) => listGenerations(app.db, principal.workspace_id, id, before, limit))
    return { ...page, items: await describeGenerations(app.db, page.items) }
  })

  app.get('/sessions/:session_id/generations/:generation_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to follow a generation of a spec, or to see why it failed.',
        gives: 'its steps, what each cost, what it suggests, and why it failed if it did.',
        keywords: 'generation run progress failed spec specification requirements',
        fields: specFields
      }
    },
    schema: {
      operationId: 'getSpecGeneration',
      summary: 'Read one generation of a spec',
      description: 'Its steps, what each cost, what it suggests, and why it failed if it did.',
      tags: ['pse'],
      params: GenerationParams,
      response: { 200: Generation }
    }
  }, async ({ principal, params }) => {
    const row = await findGeneration(app.db, principal.workspace_id, params.session_id, params.generation_id)
    if (!row) throw NotFound()
    return describeGeneration(app.db, row)
  })

  app.get('/sessions/:session_id/events', {
    sse: 'manual',
    schema: {
      operationId: 'followSpecSession',
      summary: 'Follow a spec session',
      description: 'The events of its generations, from the beginning or after Last-Event-ID, live until the running ' +
        'generation has ended. 204 where none runs and the client has every event.',
      tags: ['pse'],
      params: SpecSessionParams,
      headers: FollowSpecHeaders,
      response: {
        200: { description: 'The events', content: stream },
        204: { type: 'null', description: 'No generation runs, and the client has every event' }
      }
    }
  }, async (request, reply) => {
    const { principal, params, headers } = request
    const row = await readSession(app.db, principal.workspace_id, params.session_id)
    const after = positionOf(headers['last-event-id'])
    if (row.active_generation_id === null && after >= row.event_seq) return reply.code(204).send(null)
    const { workspace_id, id: session_id, active_generation_id: generation_id, event_seq: until } = row
    const followed = sessionStream({ workspace_id, session_id, generation_id, until, after })
    return app.stream(request, reply, (sink) => sendStream(app.streams, followed, sink))
  })

  app.post('/sessions/:session_id/generations/:generation_id/cancel', {
    config: {
      tool: cancelTool,
      words: {
        foreign: false,
        use: 'Use this to stop a generation of a spec. The version before it stays current.',
        gives: 'the generation.',
        keywords: 'stop abort cancel generating spec specification requirements',
        fields: specFields
      },
      errors: [GenerationFinished]
    },
    schema: {
      operationId: 'cancelSpecGeneration',
      summary: 'Cancel a generation',
      description: 'Ends a generation that waits at once, and one that runs as soon as its worker sees it: 202 until ' +
        'then. The version before it stays current. Again = the same answer.',
      tags: ['pse'],
      params: GenerationParams,
      response: { 200: Generation, 202: Generation }
    }
  }, async ({ principal, params }, reply) => {
    const { session_id: sessionId, generation_id: id } = params
    const row = await cancelGeneration(app, principal.workspace_id, sessionId, id)
    app.generations.reconcileSoon()
    return reply.code(row.finished_at === null ? 202 : 200).send(await describeGeneration(app.db, row))
  })
}

export default generations
