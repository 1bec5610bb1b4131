import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { findBriefResource } from '../../db/content/briefs.js'
import { findContentResource } from '../../db/content/contents.js'
import { findGenerationResource } from '../../db/content/generations.js'
import { findImageResource } from '../../db/content/placements.js'
import { guardNamed } from '../../lib/access/guard-named.js'
import { requireXmlText } from '../../lib/http/storable.js'
import { findProjectResource } from '../../lib/access/require-access.js'
import { NotFound } from '../../schemas/errors.js'
import brands from './brands.js'
import briefs from './briefs.js'
import briefSources from './brief-sources.js'
import calendar from './calendar.js'
import calendarFiles from './calendar-files.js'
import calendarSubscriptions from './calendar-subscriptions.js'
import commentChanges from './comment-changes.js'
import comments from './comments.js'
import comparison from './comparison.js'
import contents from './contents.js'
import feeds from './feeds.js'
import generations from './generations.js'
import imageFiles from './image-files.js'
import images from './images.js'
import { defineJobs } from './jobs.js'
import { makeGenerationRunner, type GenerationRunner } from './lib/generate/runner.js'
import { warmRules } from './lib/brands/read-brand.js'
import moves from './moves.js'
import publishing from './publishing.js'
import releases from './releases.js'
import renderings from './renderings.js'
import repairs from './repairs.js'
import reviewer from './reviewer.js'
import statements from './statements.js'
import styles from './styles.js'
import suggestions from './suggestions.js'
import translations from './translations.js'
import versions from './versions.js'

declare module 'fastify' {
  interface FastifyInstance { contentGenerations: GenerationRunner }
}

const guarded: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'content', 'workspace', 'anywhere')
  // What is written here may become a feed, a page or a calendar.
  app.addHook('preValidation', async ({ body }) => requireXmlText(body))
  guardNamed(app, {
    project_id: { find: findProjectResource, missing: NotFound },
    brief_id: { find: findBriefResource, missing: NotFound },
    content_id: { find: findContentResource, missing: NotFound },
    translation_of: { find: findContentResource, missing: NotFound },
    generation_id: { find: findGenerationResource, missing: NotFound },
    image_id: { find: findImageResource, missing: NotFound }
  })
  await app.register(brands)
  await app.register(styles)
  await app.register(briefs)
  await app.register(briefSources)
  await app.register(releases)
  await app.register(generations)
  await app.register(contents)
  await app.register(moves)
  await app.register(versions)
  await app.register(suggestions)
  await app.register(statements)
  await app.register(comments)
  await app.register(commentChanges)
  await app.register(reviewer)
  await app.register(translations)
  await app.register(comparison)
  await app.register(repairs)
  await app.register(images)
  await app.register(calendar)
  await app.register(calendarSubscriptions)
  await app.register(renderings)
  await app.register(publishing)
}

/**
 * Loads the rules of the brand check when content is first asked for, before a person has written a text. What no one
 * asks content of needs no process for texts.
 */
const warmWithFirst = (app: FastifyInstance): void => {
  let isCold = false
  app.addHook('onListen', async () => { isCold = true })
  app.addHook('onResponse', async () => {
    if (!isCold) return
    isCold = false
    warmRules().catch((error: unknown) => app.log.error(error, 'the rules of the brand check do not load'))
  })
}

/** Brands, briefs, content records, how they are generated, and what is published of them. */
const content: FastifyPluginAsyncTypebox = async (app) => {
  const runner = makeGenerationRunner(app)
  app.decorate('contentGenerations', runner)
  app.addHook('onReady', async () => { if (app.config.WORKER !== 'false') runner.start() })
  app.onDrain(() => runner.stop())
  defineJobs(app, runner)
  warmWithFirst(app)
  await app.register(guarded)
  await app.register(feeds)
  await app.register(imageFiles)
  await app.register(calendarFiles)
}

export default content
