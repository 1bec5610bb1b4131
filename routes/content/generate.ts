import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateContent, GeneratedContents } from '../../schemas/content/generations.js'
import { NotFound } from '../../schemas/errors.js'
import { StaleRevision } from '../../schemas/revisions.js'
import {
  BriefNotFound, BriefState, ContentArchived, LocaleNotEnabled, ProjectArchived, SlugTaken
} from './lib/errors.js'
import { generate } from './lib/generate.js'
import { generateContentTool } from './lib/generate-tool.js'

const generations: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/generate', {
    config: {
      tool: generateContentTool,
      errors: [
        NotFound, BriefNotFound, BriefState, ContentArchived, LocaleNotEnabled, ProjectArchived, SlugTaken,
        StaleRevision
      ]
    },
    schema: {
      operationId: 'generateContent',
      summary: 'Generate content',
      description: 'create makes one draft a channel out of a brief: every word, number, quote and address is of ' +
        'the brief or the brand, and what the brief does not say is marked [[WRITE: …]], which a review refuses. ' +
        'The same brief and brand give the same bytes. repair writes a draft version with the fixes that are ' +
        'certain; check judges a record anew. No language model writes anything here, and the answer says so.',
      tags: ['content'],
      body: GenerateContent,
      response: { 200: GeneratedContents }
    }
  }, ({ principal, body }) => generate(app.db, principal, body))
}

export default generations
