import { list } from './list'
import { spec } from './spec'

export const specs = { ...list, ...spec }
