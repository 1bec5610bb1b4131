/** What people have decided of the assistant's questions: what a replay judges, in the area that keeps policies. */
export { listDecisions, listForeignReads } from '../../db/agent/reports.js'
