import type { FastifyInstance } from 'fastify'
import type { ObjectStore } from '../../../../lib/objects/s3.js'
import { ImageStoreFailed } from '../errors.js'

/** What the store says is our error, in our words. */
const failed = (error: unknown): never => {
  throw ImageStoreFailed(error instanceof Error ? `It says that ${error.message}` : undefined)
}

/** @returns the store of images, if they are not in the database; it throws image_store_failed */
export const storeOf = async (objects: FastifyInstance['objects']): Promise<ObjectStore | undefined> => {
  const store = await objects?.()
  return store && {
    put: (...given) => store.put(...given).catch(failed),
    read: (key) => store.read(key).catch(failed),
    remove: (key) => store.remove(key).catch(failed)
  }
}
