import { defineError } from '../../../schemas/errors.js'

export const DestinationNotFound = defineError('destination_not_found', 'There is no such destination', 404)
export const DeadLetterNotFound = defineError('dead_letter_not_found', 'There is no such dead letter', 404)
export const DestinationInvalid = defineError('destination_invalid', 'It cannot be a destination of the record', 422)
export const TooManyDestinations = defineError('too_many_destinations', 'A workspace has at most 10 destinations', 409)
export const WriteNotFound = defineError('write_not_found', 'Nothing is recorded of such a write', 404)
