/** What the area of channels knows of other areas' work: what has ended of it, and for whom. */
export { listReviewNotices } from '../../db/content/reviewers.js'
export { listEndedRuns } from '../../db/agent/ended-runs.js'
export { listFailedBuilds } from '../../db/deployments/failed-builds.js'
export { listFailedDeployments } from '../../db/infrastructure/failed-deployments.js'
