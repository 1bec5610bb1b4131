import { releaseImages, useImages } from '../../../../db/content/images.js'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { Db } from '../../../../db/index.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { PublicationState } from '../../../../schemas/content/publications.js'
import { imagesIn } from '../images/images.js'

/** Lets strangers see the images of a text that goes out. */
export const showImagesOf = async (db: Db, row: PublicationRow, content: Content): Promise<void> => {
  const ids = imagesIn(content)
  if (ids.length > 0) await useImages(db, row.workspace_id, content.project_id, ids, row)
}

const ends: readonly PublicationState[] = ['succeeded', 'failed', 'cancelled']

/** Hides again what a publication that has ended left nowhere: its own text, or that of the version before. */
export const hideImagesOf = async (db: Db, row: Pick<PublicationRow, 'workspace_id' | 'content_id' | 'target_id'>,
  state: PublicationState): Promise<void> => {
  if (ends.includes(state)) await releaseImages(db, row.workspace_id, row)
}
