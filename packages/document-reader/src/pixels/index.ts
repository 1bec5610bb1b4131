export { pixelOperations } from './operations.js'
export type { PixelOperations } from './operations.js'
