export { BrokenImage } from './broken-image.js'
export { readImage, requireReadable } from './read-image.js'
export type { ImageFacts } from './read-image.js'
export { withoutMetadata } from './without-metadata.js'
