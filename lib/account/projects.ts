/** What others than the area account know of projects, to which what they have belongs. */
export { findProject, lockProject } from '../../db/account/projects.js'
export { listInstructions } from '../../db/account/projects.js'
