import { isConnectionError } from '../../db/connection-errors.js'
import { ApiError, DatabaseUnavailable } from '../../schemas/errors.js'

/** @returns whether the database was unavailable, here or for a route that was called: it says nothing of the work */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionError(error) || (error instanceof ApiError && error.code === DatabaseUnavailable.code)
