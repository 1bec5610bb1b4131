/** What the area of channels knows of other areas' work: what has ended of it, and for whom. */
export { listReviewNotices } from '../../db/content/threads.js'
export { listEndedRuns } from '../../db/agent/runs.js'
export { listFailedBuilds } from '../../db/deployments/progress.js'
export { listFailedDeployments } from '../../db/infrastructure/service-deployments.js'
