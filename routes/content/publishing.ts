import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listPublications } from '../../db/content/publications.js'
import { ContentParams } from '../../schemas/content/contents.js'
import {
  Publication, PublicationParams, Publications, PublishContent, UnpublishContent
} from '../../schemas/content/publications.js'
import { IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  AlreadyLive, CannotUnpublish, ChecksFailed, ContentArchived, ContentEmpty, ContentIncomplete, NoTarget, NotPublisher,
  PublicationBusy,
  PublishAtPast, TimeAmbiguous, TimeNonexistent, TimezoneRequired, TooFar, VersionNotApproved
} from './lib/errors.js'
import { requireContent } from './lib/texts/find-content.js'
import { describePublication } from './lib/publish/describe-publication.js'
import { followUp, movePublished } from './lib/publish/follow-up.js'
import { planPublishing, planUnpublishing, publish, unpublish } from './lib/publish/publish.js'
import { cancelPublicationTool, retryPublicationTool } from './lib/publish/publication-tools.js'
import { publishTool, unpublishTool } from './lib/publish/publish-tools.js'
import { textErrors } from './lib/text/read-text.js'
import { contentFields } from './lib/field-words.js'

const now = { disambiguation: 'reject', misfire: 'late', dry_run: false } as const
const timeErrors = [PublishAtPast, TooFar, TimezoneRequired, TimeAmbiguous, TimeNonexistent]

const publishing: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/:content_id/publish', {
    config: {
      // An empty body publishes the approved version everywhere.
      emptyBody: { ...now, republish: false, overwrite: false },
      tool: publishTool,
      words: {
        foreign: false,
        use: 'Use this to publish an article or post, now or at a time, to the targets of its brand.',
        gives: 'a publication for each target, with how it went.',
        keywords: 'publish post send schedule go live wordpress ghost feed article content online website site ' +
          'release announcement newsletter deliver',
        fields: contentFields
      },
      errors: [
        StaleRevision, ContentArchived, VersionNotApproved, ContentIncomplete, ChecksFailed, NoTarget, NotPublisher,
        ContentEmpty, AlreadyLive,
        ...textErrors, ...timeErrors
      ]
    },
    schema: {
      operationId: 'publishContent',
      summary: 'Publish content',
      description: 'Publishes one version, now or at a time, to the brand\'s targets for its channel and locale. The ' +
        'version is pinned: later edits change nothing of it. One publication a target: the same again finds it, ' +
        'and nothing is sent twice. 200 when all have ended, 202 while one goes on. Readers get the posts of social ' +
        'content, else the body; a version that a target could show nothing of is refused (422 content_empty), ' +
        'and so is a time for what is live everywhere already (409 already_live).',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: PublishContent,
      response: { 200: Publications, 202: Publications }
    }
  }, async ({ principal, params: { content_id: id }, headers, body }, reply) => {
    if (body.dry_run) return { items: [], plan: await planPublishing(app.db, principal, id, body) }
    const { written, again } = await publish(app.db, principal, id, body, readIfMatch(headers['if-match']))
    const { items, ended } = await followUp(app, principal.workspace_id, id, written, again)
    return reply.code(ended ? 200 : 202).send({ items })
  })

  app.post('/:content_id/unpublish', {
    config: {
      emptyBody: { ...now },
      tool: unpublishTool,
      words: {
        foreign: false,
        use: 'Use this to take a published article or post back from where it is live.',
        gives: 'a publication for each target, with how it went.',
        keywords: 'unpublish take offline take down withdraw article post content remove from website site pull ' +
          'online retract announcement',
        fields: contentFields
      },
      errors: [StaleRevision, NoTarget, CannotUnpublish, NotPublisher, ...timeErrors]
    },
    schema: {
      operationId: 'unpublishContent',
      summary: 'Take content back',
      description: 'Takes the record back from each target where it is live, or from those named: a webhook is sent ' +
        'content.unpublished, a feed no longer has it, a post at WordPress or Ghost becomes a draft, posts of a ' +
        'network are deleted, and a pull request removes the file from a repository. A mail cannot be taken back. It ' +
        'stays published until every target has let go.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: UnpublishContent,
      response: { 200: Publications, 202: Publications }
    }
  }, async ({ principal, params: { content_id: id }, headers, body }, reply) => {
    if (body.dry_run) return { items: [], plan: await planUnpublishing(app.db, principal, id, body) }
    const written = await unpublish(app.db, principal, id, body, readIfMatch(headers['if-match']))
    const { items, ended } = await followUp(app, principal.workspace_id, id, written)
    return reply.code(ended ? 200 : 202).send({ items })
  })

  app.get('/:content_id/publications', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see where an article or post was or will be published, and how each attempt went.',
        gives: 'the last hundred publications, newest first, with their ids.',
        keywords: 'publications published where targets attempts article post content',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'listPublications',
      summary: 'List the publications of a content record',
      description: 'The last hundred, newest first: what was or will be sent where, how each attempt went.',
      tags: ['content'],
      params: ContentParams,
      response: { 200: Publications }
    }
  }, async ({ principal, params: { content_id: id } }) => {
    await requireContent(app.db, principal.workspace_id, id)
    return { items: (await listPublications(app.db, principal.workspace_id, id)).map(describePublication) }
  })

  app.post('/:content_id/publications/:publication_id/cancel', {
    config: {
      tool: cancelPublicationTool,
      words: {
        foreign: false,
        use: 'Use this to call off a publication that is scheduled or waits.',
        gives: 'the publication.',
        keywords: 'cancel call off scheduled publication publish post undo newsletter send',
        fields: contentFields
      },
      errors: [PublicationBusy]
    },
    schema: {
      operationId: 'cancelPublication',
      summary: 'Cancel a publication',
      description: 'Of one that is scheduled, waits, or would be tried again. Again = the same answer.',
      tags: ['content'],
      params: PublicationParams,
      response: { 200: Publication }
    }
  }, ({ principal, params: { content_id: id, publication_id: publication } }) =>
    movePublished(app, principal, id, publication, 'cancelled'))

  app.post('/:content_id/publications/:publication_id/retry', {
    config: {
      tool: retryPublicationTool,
      words: {
        foreign: false,
        use: 'Use this to try a publication that failed again.',
        gives: 'the publication.',
        keywords: 'retry try again publish failed publication target',
        fields: contentFields
      },
      errors: [PublicationBusy]
    },
    schema: {
      operationId: 'retryPublication',
      summary: 'Try a failed publication again',
      description: 'From the first attempt on, with the same version and the same id at a webhook.',
      tags: ['content'],
      params: PublicationParams,
      response: { 200: Publication }
    }
  }, ({ principal, params: { content_id: id, publication_id: publication } }) =>
    movePublished(app, principal, id, publication, 'queued'))
}

export default publishing
