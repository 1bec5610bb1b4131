import type { ServerWords } from '../../texts'
import { errors } from './errors'
import { findings } from './findings'
import { moreErrors } from './more-errors'
import { fields, rows } from './names'
import { operations } from './operations'
import { plans } from './plans'
import { activity, services } from './states'

/** What the server says in English; a text in braces stands for any text. */
export const server: ServerWords = {
  errors: { ...errors, ...moreErrors }, operations, rows, fields, plans, services, findings, activity
}
