/** What areas other than account know of groups. */
export { findGroupIds } from '../../db/account/groups.js'
