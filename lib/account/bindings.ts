/** An account that goes takes the roles on it along. */
export { deleteBindingsOn } from '../../db/account/groups.js'
