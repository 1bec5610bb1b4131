import fp from 'fastify-plugin'
import type { ObjectStore } from '../lib/objects/s3.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where the bytes of images are kept; undefined = in the database. */
    objects: (() => Promise<ObjectStore>) | undefined
  }
}

export default fp(async (app) => {
  const {
    S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId = '',
    S3_SECRET_ACCESS_KEY: secretAccessKey
  } = app.config
  let opened: Promise<ObjectStore> | undefined
  // The client loads when the first image is read.
  const open = async (name: string) => (await import('../lib/objects/s3.js')).openS3({
    bucket: name,
    region,
    endpoint,
    credentials: secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
  })
  const openOnce = (name: string) => () => {
    opened ??= open(name)
    return opened
  }
  app.decorate('objects', bucket === undefined ? undefined : openOnce(bucket))
}, { name: 'objects', dependencies: ['config'] })
