export { textOf } from './text-of.js'
export type { Unit } from './units.js'
