export { termsIn } from './glossary.js'
export { compilePattern } from './patterns.js'
