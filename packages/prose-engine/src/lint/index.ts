export { compileExpression } from './expressions.js'
export { findName } from './names.js'
export { beginsSentence } from './sentence-start.js'
