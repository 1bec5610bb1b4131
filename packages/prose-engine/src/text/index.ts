export { graphemes } from './graphemes.js'
export { postAddress, postLength, whyTooLong } from './post-length.js'
export { withSearchTitle } from './search-title.js'
export { keyOf } from './word-key.js'
