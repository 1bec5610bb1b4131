import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSignedWith, parseSignature } from '../signature-v4.js'
import { startSite, type SiteControl } from '../sites/site.js'

/** An object as the store has it. */
export interface StoredObject { data: Buffer, mediaType: string }

export interface S3Sandbox extends SiteControl { objects: Map<string, StoredObject> }

interface Account { bucket: string, region: string, accessKeyId: string, secretAccessKey: string }

const refuse = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).type('application/xml').send('<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`)

const bodyOf = ({ body }: FastifyRequest): Buffer => Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** @returns the code of the refusal; undefined where the request is signed by the account, for this store */
const whyRefused = (request: FastifyRequest, { region, accessKeyId, secretAccessKey }: Account): string | undefined => {
  const { method, url, headers } = request
  const body = bodyOf(request)
  const signature = parseSignature(headers.authorization)
  if (signature?.accessKeyId !== accessKeyId) return 'InvalidAccessKeyId'
  if (signature.region !== region || signature.service !== 's3') return 'AuthorizationHeaderMalformed'
  if (!isSignedWith(secretAccessKey, { method, url, headers, body }, signature)) return 'SignatureDoesNotMatch'
  const declared = headers['x-amz-content-sha256']
  return declared === createHash('sha256').update(body).digest('hex') ? undefined : 'XAmzContentSHA256Mismatch'
}

const addObjects = (app: FastifyInstance, objects: Map<string, StoredObject>, { bucket }: Account): void => {
  app.put<{ Params: { '*': string } }>(`/${bucket}/*`, async (request, reply) => {
    const data = bodyOf(request)
    objects.set(request.params['*'], { data, mediaType: request.headers['content-type'] ?? 'binary/octet-stream' })
    return reply.header('etag', `"${createHash('md5').update(data).digest('hex')}"`).send()
  })
  app.get<{ Params: { '*': string } }>(`/${bucket}/*`, async ({ params }, reply) => {
    const found = objects.get(params['*'])
    return found
      ? reply.type(found.mediaType).send(found.data)
      : refuse(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
  })
  app.delete<{ Params: { '*': string } }>(`/${bucket}/*`, async ({ params }, reply) => {
    objects.delete(params['*'])
    return reply.code(204).send()
  })
}

/** One bucket of a store that speaks S3 with paths and signatures of version 4. */
export const startS3 = async (account: Account): Promise<S3Sandbox> => {
  const objects = new Map<string, StoredObject>()
  const control = await startSite((app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addHook('preHandler', async (request, reply) => {
      const code = whyRefused(request, account)
      return code === undefined ? undefined : refuse(reply, 403, code, 'The request was refused.')
    })
    app.setNotFoundHandler((_request, reply) =>
      refuse(reply, 404, 'NoSuchBucket', 'The specified bucket does not exist'))
    addObjects(app, objects, account)
  })
  return { ...control, objects }
}
