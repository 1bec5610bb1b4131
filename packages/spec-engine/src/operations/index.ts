export { operations } from './operations.js'
export type { NotTakenPart, Operations } from './operations.js'
