import { InvalidRequest, type ApiError } from '../../../schemas/errors.js'

/** @returns an error for one place of the body that the schema alone cannot judge */
export const invalid = (pointer: string, code: string, message: string): ApiError =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })
