import { InvalidRequest, type ApiError } from '../../../schemas/errors.js'

/** @returns an invalid_request for one pointer of the body, for rules that the schema cannot express */
export const invalid = (pointer: string, code: string, message: string): ApiError =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })
