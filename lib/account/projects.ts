/** What others than the area account know of projects, to which what they have belongs. */
export { findProject, lockProject, projectsExist } from '../../db/account/projects.js'
