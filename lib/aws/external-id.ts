import { randomBytes } from 'node:crypto'

/** By which AWS knows that a request is this workspace's: whoever could choose it could use another's role. */
export const newExternalId = (): string => `steward-${randomBytes(24).toString('hex')}`
