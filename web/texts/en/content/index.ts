import { list } from './list'
import { record } from './record'
import { desk } from './desk'
import { briefs } from './briefs'
import { brand } from './brand'

export const content = { ...list, ...record, ...desk, ...briefs, ...brand }
