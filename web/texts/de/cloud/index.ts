import { accounts } from './accounts'
import { costs } from './costs'
import { containers } from './containers'
import { functions } from './functions'
import { metrics } from './metrics'

export const cloud = { ...accounts, ...costs, ...containers, ...functions, ...metrics }
