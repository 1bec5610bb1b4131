import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { BrokenImage, type ImageFacts, requireReadable, withoutMetadata } from 'steward-document-reader/media'
import {
  deleteImage, findImage, insertImage, listImageUses, listKnownImages, lockImage, sumImages, type ImageRow,
  type StoredImage
} from '../../../../db/content/placements.js'
import type { Db } from '../../../../db/index.js'
import { decodeBase64 } from '../../../../lib/http/text.js'
import { requireDecodable } from '../../../../lib/media/pixels/pixels.js'
import type { ObjectStore } from '../../../../lib/objects/s3.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Content } from '../../../../schemas/content/contents.js'
import {
  type AddImage, type ContentImage, maxImageBytes, maxImagePixels, maxImageSide
} from '../../../../schemas/content/images.js'
import { NotFound } from '../../../../schemas/errors.js'
import { ImageInUse, ImagesFull, ImageStoreFailed, ImageTooLarge, ImageUnreadable, requireProject } from '../errors.js'
import { widthsOf } from './resized-images.js'

const pointer = '/data'

const refuse = (code: string, message: string, define = ImageUnreadable) =>
  define(`The file ${message}`, { errors: [{ pointer, code, message }] })

const decode = (data: string): Buffer => {
  const bytes = decodeBase64(data)
  if (!bytes) throw refuse('not_base64', 'is not base64')
  if (bytes.length <= maxImageBytes) return bytes
  throw refuse('image_too_large', `has ${bytes.length} bytes, and may have ${maxImageBytes}`, ImageTooLarge)
}

/** A small file may claim a size that would fill the memory of whoever shows it. */
const requireShowable = ({ width, height }: ImageFacts): void => {
  if (Math.max(width, height) <= maxImageSide && width * height <= maxImagePixels) return
  throw refuse('image_too_wide', `says that it is ${width} × ${height} pixels; each side may have ${maxImageSide}, ` +
    `and all ${maxImagePixels}`, ImageTooLarge)
}

/**
 * @returns an uploaded image as it is stored: what it is by its bytes, without what nobody sees of it
 * @throws image_unreadable, image_too_large, overloaded
 */
const readUpload = async (data: string): Promise<ImageFacts & { bytes: Buffer }> => {
  try {
    const image = requireReadable(decode(data))
    if (!image) throw refuse('no_image', 'is neither PNG, JPEG, GIF nor WebP')
    requireShowable(image)
    const bytes = withoutMetadata(Buffer.from(data, 'base64'), image.extension)
    await requireDecodable(bytes, image)
    return { ...image, bytes }
  } catch (error) {
    if (error instanceof BrokenImage) throw refuse(error.code, `is an image that cannot be read: ${error.message}`)
    throw error
  }
}

/** What the store says is our error, in our words. */
const failed = (error: unknown): never => {
  throw ImageStoreFailed(error instanceof Error ? `It says that ${error.message}` : undefined)
}

/** @returns the store of images, if they are not in the database; it throws image_store_failed */
const storeOf = async (objects: FastifyInstance['objects']): Promise<ObjectStore | undefined> => {
  const store = await objects?.()
  return store && {
    put: (...given) => store.put(...given).catch(failed),
    read: (key) => store.read(key).catch(failed),
    remove: (key) => store.remove(key).catch(failed)
  }
}

type Deps = Pick<FastifyInstance, 'db' | 'objects'>

const maxInDatabase = 2_000_000_000

const endings: Record<string, string> = {
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp'
}

const urlOf = (origin: string, id: string, mediaType: string): string =>
  `${origin}/content/images/${id}.${endings[mediaType] ?? 'bin'}`

export const describeImage = (row: ImageRow, origin: string): ContentImage => {
  const url = urlOf(origin, row.id, row.media_type)
  const sizes = widthsOf(row.width).map((width) => ({ width, url: `${url}?width=${width}` }))
  // Only the four types are stored.
  return { ...row, media_type: row.media_type as ContentImage['media_type'], url, sizes }
}

/**
 * Stores an image of a project, once for the same bytes.
 * @param origin where a browser reaches the workspace
 * @throws not_found, image_unreadable, image_too_large, images_full, image_store_failed, overloaded
 */
export const addImage = async ({ db, objects }: Deps, { workspace_id, user_id }: Principal,
  { project_id, data: given }: AddImage, origin: string): Promise<ContentImage> => {
  await requireProject(db, workspace_id, project_id)
  const { bytes: data, mediaType: media_type, width, height } = await readUpload(given)
  const store = await storeOf(objects)
  const [size, id] = [data.length, uuid()]
  if (!store && await sumImages(db, workspace_id) + size > maxInDatabase) throw ImagesFull()
  const hash = createHash('sha256').update(data).digest('hex')
  const object_key = store ? `${workspace_id}/${id}` : null
  // First the bytes: a row without them would be an image that nobody can see.
  if (object_key !== null) await store?.put(object_key, data, media_type)
  const kept = { data: store ? null : data, object_key }
  const named = { workspace_id, id, project_id, hash, created_by: user_id }
  const { row, isNew } = await insertImage(db, { ...named, media_type, width, height, size, ...kept })
  if (!isNew && object_key !== null) await store?.remove(object_key)
  return describeImage(row, origin)
}

/** @returns the bytes of an image; undefined where its store has them no more. @throws image_store_failed */
export const bytesOf = async ({ objects }: Pick<Deps, 'objects'>, { data, object_key: key }: StoredImage):
Promise<Buffer | undefined> => {
  if (data !== null) return Buffer.from(data)
  return key === null ? undefined : (await storeOf(objects))?.read(key)
}

const maxUses = 20

/**
 * Removes an image that no version of a record names.
 * @throws not_found, image_in_use with the versions, image_store_failed
 */
export const removeImage = ({ db, objects }: Deps, workspaceId: string, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await lockImage(trx, workspaceId, id)
    if (!row) throw NotFound()
    const uses = await listImageUses(trx, workspaceId, id, maxUses)
    const [first] = uses
    if (first) {
      throw ImageInUse(`Version ${first.version} of "${first.title}" has it` +
        (uses.length > 1 ? `, and ${uses.length === maxUses ? 'many' : uses.length - 1} more` : ''), { uses })
    }
    await deleteImage(trx, workspaceId, id)
    // Within the transaction: what the store does not remove stays an image.
    if (row.object_key !== null) await (await storeOf(objects))?.remove(row.object_key)
  })

const address = /\/content\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./g

const idsIn = (text: string): string[] => [...text.matchAll(address)].flatMap(([, id]) => id === undefined ? [] : [id])

/** @returns the ids of our images in a text that goes out */
export const imagesIn = ({ body_markdown: body, media, seo }: Content): string[] =>
  [...new Set([body, ...media.map(({ url }) => url), seo.og_image ?? ''].flatMap(idsIn))]

export type KnownImage = Awaited<ReturnType<typeof listKnownImages>>[number]

/** @returns the images of a text that are of its project */
export const knownImages = async (db: Db, workspaceId: string, content: Content): Promise<KnownImage[]> => {
  const ids = imagesIn(content)
  return ids.length === 0 ? [] : listKnownImages(db, workspaceId, content.project_id, ids)
}

/** @returns our addresses in a text that lead to no image of its project: strangers would not see it */
export const strangeImages = (content: Content, known: readonly KnownImage[], origin: string): string[] => {
  const text = JSON.stringify([content.body_markdown, content.media, content.seo])
  return imagesIn(content).filter((id) => !known.some((one) => one.id === id))
    .map((id) => `${origin}/content/images/${id}`).filter((url) => text.includes(url))
}

/** @returns an image of the workspace by its address, with its bytes; undefined for other addresses */
export const ownImage = async (deps: Deps, workspaceId: string, url: string): Promise<Buffer | undefined> => {
  const [id] = idsIn(url)
  const found = id === undefined ? undefined : await findImage(deps.db, workspaceId, id)
  return found && bytesOf(deps, found)
}
