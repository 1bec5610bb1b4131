export { operations, type Operations } from './operations.js'
