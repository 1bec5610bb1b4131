import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findGeneration, listGenerations, type GenerationRow } from '../../db/content/generations.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import { positionOf, sendStream, waitForEnd, waitOf, type Followed } from '../../lib/streams/follow.js'
import {
  ContentGeneration, ContentGenerationEvent, ContentGenerationPage, ContentGenerationParams, contentEndEvents,
  FollowContentHeaders, GenerateContentHeaders, ListContentGenerations, RetryContentGeneration
} from '../../schemas/content/generation-records.js'
import { GenerateContent, GeneratedContents } from '../../schemas/content/generations.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { modelPlanErrors } from '../../schemas/model-budget.js'
import { readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  BriefNotFound, BriefState, ContentArchived, GenerationFinished, GenerationInProgress, GenerationState,
  LocaleNotEnabled, ProjectArchived, SlugTaken, TooManyOutputs, VersionNotApproved
} from './lib/errors.js'
import { describeGenerations, readGeneration } from './lib/generate/describe.js'
import { cancelGeneration, planRetry, retryGeneration } from './lib/generate/end.js'
import { generate, readGenerated } from './lib/generate/generate.js'
import { generateContentTool } from './lib/generate/generate-tool.js'
import { cancelGenerationTool, retryGenerationTool } from './lib/generate/generation-tools.js'
import { textErrors } from './lib/text/read-text.js'
import { contentFields } from './lib/field-words.js'

const generateSchema = {
  operationId: 'generateContent',
  summary: 'Generate content',
  description: 'By a language model, as a generation that survives a crash: its records are there at once as drafts, ' +
    'the answer is 200 when it ended within `Prefer: wait` (default 10 s), else 202 with the same body; with Accept: ' +
    'text/event-stream the progress is streamed. By the template, at once: the same brief and brand give the same ' +
    'bytes. Either way every number, quotation and address must come from the brief or its sources: what does not is ' +
    'refused, and marked [[WRITE: …]] where words are missing, which a review does not let pass. What people wrote ' +
    'is never overwritten: beside it the model\'s text is a suggestion.',
  tags: ['content'],
  headers: GenerateContentHeaders,
  body: GenerateContent,
  response: {
    200: {
      description: 'It has ended, or with Accept: text/event-stream what happens until it has',
      content: {
        'application/json': { schema: GeneratedContents },
        'text/event-stream': { schema: ContentGenerationEvent }
      }
    },
    202: GeneratedContents
  }
}

const generateConfig = {
  tool: generateContentTool,
  words: {
    foreign: false,
    use: 'Use this to let a model write articles, posts, mails or translations from a brief, or revise and ' +
      'improve one.',
    gives: 'the generation and its drafts; read the generation again until it has ended.',
    keywords: 'generate write let model draft article post newsletter tweet email from brief translate ' +
      'announcement copy writing translation rewrite content',
    fields: contentFields
  },
  errors: [
    NotFound, BriefNotFound, BriefState, ContentArchived, LocaleNotEnabled, ProjectArchived, SlugTaken, StaleRevision,
    GenerationInProgress, TooManyOutputs, VersionNotApproved, ...textErrors, ...modelPlanErrors
  ]
}

/** @param after the position that the client holds */
const followedOf = ({ workspace_id: workspaceId, id }: GenerationRow, after: number): Followed =>
  ({ workspaceId, streamId: id, after, isEnd: ({ event }) => contentEndEvents.includes(event) })

const generations: FastifyPluginAsyncTypebox = async (app) => {
  const current = async ({ workspace_id: workspaceId, id }: GenerationRow): Promise<GenerationRow> => {
    const row = await findGeneration(app.db, workspaceId, id)
    if (!row) throw NotFound()
    return row
  }

  app.post('/generate', { sse: 'manual', config: generateConfig, schema: generateSchema }, async (request, reply) => {
    const { principal, body, headers } = request
    const streams = /\btext\/event-stream\b/.test(headers.accept ?? '')
    if (streams) app.requireStream(principal)
    const begun = await generate(app, principal, body, readIfMatch(headers['if-match']))
    if ('answer' in begun) return begun.answer
    const followed = followedOf(begun.row, 0)
    app.contentGenerations.claimSoon(begun.row)
    if (streams) return app.stream(request, reply, (sink) => sendStream(app.streams, followed, sink))
    if (begun.row.finished_at === null) await waitForEnd(app.streams, followed, waitOf(headers.prefer) * 1_000)
    const answer = await readGenerated(app.db, await current(begun.row))
    reply.header('location', `/content/generations/${begun.row.id}`)
    if (answer.generation.finished_at === null) reply.code(202).header('retry-after', '5')
    return answer
  })

  app.get('/generations', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which texts were generated, how each run ended and what it cost.',
        gives: 'the generations, newest first, of all projects, one project or one record.',
        keywords: 'generations runs generated texts articles content cost',
        fields: contentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listContentGenerations',
      summary: 'List generations of content',
      description: 'Newest first, of all projects, of one, or of one record: what each wrote, how it ended, what it ' +
        'cost.',
      tags: ['content'],
      querystring: ListContentGenerations,
      response: { 200: ContentGenerationPage }
    }
  }, async ({ principal, query }) => {
    const { limit, cursor, ...filter } = query
    const found = await paginateById(app, { principal, list: 'content generations', filter, query },
      (slice) => listGenerations(app.db, principal.workspace_id,
        { ...filter, projects: visibleProjects(principal) }, slice))
    return { ...found, items: await describeGenerations(app.db, found.items) }
  })

  app.get('/generations/:generation_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to follow a generation of content, or to see why it failed.',
        gives: 'its outputs and steps, what each cost, and why it failed if it did.',
        keywords: 'generation progress finished failed article newsletter content',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'getContentGeneration',
      summary: 'Read one generation of content',
      description: 'Its outputs and steps, what each cost, why one failed if it did. What was written for an output ' +
        'that came to no end is shown with its steps.',
      tags: ['content'],
      params: ContentGenerationParams,
      response: { 200: ContentGeneration }
    }
  }, ({ principal, params }) => readGeneration(app.db, principal.workspace_id, params.generation_id))

  app.get('/generations/:generation_id/events', {
    sse: 'manual',
    schema: {
      operationId: 'followContentGeneration',
      summary: 'Follow a generation of content',
      description: 'Its events, from the beginning or after Last-Event-ID, live until it has ended. 204 where it ' +
        'has ended and the client has every event.',
      tags: ['content'],
      params: ContentGenerationParams,
      headers: FollowContentHeaders,
      response: {
        200: { description: 'The events', content: { 'text/event-stream': { schema: ContentGenerationEvent } } },
        204: { type: 'null', description: 'It has ended, and there are no further events' }
      }
    }
  }, async (request, reply) => {
    const { principal, params, headers } = request
    const row = await findGeneration(app.db, principal.workspace_id, params.generation_id)
    if (!row) throw NotFound()
    const after = positionOf(headers['last-event-id'])
    if (row.finished_at !== null && after >= row.event_seq) return reply.code(204).send(null)
    return app.stream(request, reply, (sink) => sendStream(app.streams, followedOf(row, after), sink))
  })

  app.post('/generations/:generation_id/cancel', {
    config: {
      tool: cancelGenerationTool,
      words: {
        foreign: false,
        use: 'Use this to stop a generation of content. What is stored already stays.',
        gives: 'the generation.',
        keywords: 'newsletter stop abort cancel generating article content',
        fields: contentFields
      },
      errors: [GenerationFinished]
    },
    schema: {
      operationId: 'cancelContentGeneration',
      summary: 'Cancel a generation of content',
      description: 'Ends one that waits at once, and one that runs as soon as its worker sees it: 202 until then. ' +
        'What is stored already stays. Again = the same answer.',
      tags: ['content'],
      params: ContentGenerationParams,
      response: { 200: ContentGeneration, 202: ContentGeneration }
    }
  }, async ({ principal, params: { generation_id: id } }, reply) => {
    const { workspace_id: workspaceId } = principal
    const row = await cancelGeneration(app, workspaceId, id)
    app.contentGenerations.reconcileSoon()
    return reply.code(row.finished_at === null ? 202 : 200).send(await readGeneration(app.db, workspaceId, id))
  })

  app.post('/generations/:generation_id/retry', {
    config: {
      emptyBody: { dry_run: false },
      tool: retryGenerationTool,
      words: {
        foreign: false,
        use: 'Use this to go on with a generation of content that failed, was cancelled or ran out of budget.',
        gives: 'a new generation that takes over what is done.',
        keywords: 'continue resume retry go on generation failed out of budget article content',
        fields: contentFields
      },
      errors: [GenerationState, GenerationInProgress, ...modelPlanErrors]
    },
    schema: {
      operationId: 'retryContentGeneration',
      summary: 'Go on with a generation of content',
      description: 'Of one that failed, was cancelled or ran out of its budget: a new generation takes over what is ' +
        'not done, goes on after the last step that is, and pays for none of it twice.',
      tags: ['content'],
      params: ContentGenerationParams,
      body: RetryContentGeneration,
      response: { 200: ContentGeneration, 202: ContentGeneration }
    }
  }, async ({ principal, params, body }, reply) => {
    if (body.dry_run) return planRetry(app, principal, params.generation_id, body)
    const row = await retryGeneration(app, principal, params.generation_id, body)
    app.contentGenerations.claimSoon(row)
    reply.code(202).header('location', `/content/generations/${row.id}`)
    return readGeneration(app.db, principal.workspace_id, row.id)
  })
}

export default generations
