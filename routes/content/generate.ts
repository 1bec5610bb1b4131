import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findGeneration, type GenerationRow } from '../../db/content/generations.js'
import { sendStream, waitForEnd, waitOf } from '../../lib/streams/follow.js'
import { ContentGenerationEvent, GenerateContentHeaders } from '../../schemas/content/generation-records.js'
import { GenerateContent, GeneratedContents } from '../../schemas/content/generations.js'
import { NotFound } from '../../schemas/errors.js'
import { modelPlanErrors } from '../../schemas/model-budget.js'
import { readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  BriefNotFound, BriefState, ContentArchived, GenerationInProgress, LocaleNotEnabled, ProjectArchived, SlugTaken,
  TooManyOutputs, VersionNotApproved
} from './lib/errors.js'
import { followedOf } from './lib/generate/follow.js'
import { generate, readGenerated } from './lib/generate/generate.js'
import { generateContentTool } from './lib/generate/generate-tool.js'
import { textErrors } from './lib/text/thread.js'

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

const config = {
  tool: generateContentTool,
  errors: [
    NotFound, BriefNotFound, BriefState, ContentArchived, LocaleNotEnabled, ProjectArchived, SlugTaken, StaleRevision,
    GenerationInProgress, TooManyOutputs, VersionNotApproved, ...textErrors, ...modelPlanErrors
  ]
}

const generations: FastifyPluginAsyncTypebox = async (app) => {
  const current = async ({ workspace_id: workspaceId, id }: GenerationRow): Promise<GenerationRow> => {
    const row = await findGeneration(app.db, workspaceId, id)
    if (!row) throw NotFound()
    return row
  }

  app.post('/generate', { sse: 'manual', config, schema: generateSchema }, async (request, reply) => {
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
}

export default generations
