export { keepUnchanged } from './keep-unchanged.js'
