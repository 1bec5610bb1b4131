/** An image that claims to be one, and is broken. */
export class BrokenImage extends Error {
  constructor (message: string, readonly code: 'image_broken' | 'image_size_differs' = 'image_broken') {
    super(message)
  }
}
