export { batchesOf, charsOf, isLarge, readBatches } from './batches.js'
export type { Fact } from './facts.js'
export * from './scope.js'
export * from './sections.js'
