import { list } from './list'
import { spec } from './spec'
import { standard } from './standard'

export const specs = { ...list, ...spec, ...standard }
