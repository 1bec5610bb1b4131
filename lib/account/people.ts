/** What areas other than account know of people: who a person is now, and what a token still allows. */
export { findPerson, findTokenStatus, listNames } from '../../db/account/principals.js'
