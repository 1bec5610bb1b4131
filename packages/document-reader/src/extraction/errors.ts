export type ExtractionCode = 'file_encrypted' | 'file_broken' | 'file_unpacks_too_large' | 'file_type_unsupported' |
  'file_too_complex'

/** Why no text was taken out of a file. */
export class ExtractionError extends Error {
  constructor (readonly code: ExtractionCode, message: string) {
    super(message)
    this.name = 'ExtractionError'
  }
}
