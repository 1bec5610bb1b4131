import type { ServerWords } from '../../texts'
import { deliveryDetails } from './delivery-details'
import { deliveryErrors } from './delivery-errors'
import { teamDetails } from './details'
import { faults } from './faults'
import { findings } from './findings'
import { logs } from './logs'
import { fields, rows } from './names'
import { operations } from './operations'
import { plans } from './plans'
import { reasons } from './reasons'
import { rules, specs } from './specs'
import { standards } from './standards'
import { activity, services } from './states'
import { teamErrors } from './team-errors'

/** What the server says in English; a text in braces stands for any text. */
export const server: ServerWords = {
  errors: { ...teamErrors, ...deliveryErrors },
  operations,
  rows,
  fields,
  plans,
  services,
  findings,
  activity,
  specs,
  rules,
  faults,
  details: { ...teamDetails, ...deliveryDetails },
  reasons,
  standards,
  logs
}
