/** What others than the area account know of people: who somebody is now, and what a token still allows. */
export { findPerson, findTokenStatus } from '../../db/account/principals.js'
