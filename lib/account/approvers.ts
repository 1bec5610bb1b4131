/** What the agent's area knows of who may decide: people with their groups, and who stands in for whom. */
export { listApprovers, listGroupNames, listMembersOf, type Approver } from '../../db/account/principals.js'
export { findLetInBy } from '../../db/account/sessions.js'
export { listDelegators } from '../../db/account/tokens.js'
