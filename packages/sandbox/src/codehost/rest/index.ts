import { activityOperations } from './activity.js'
import { applicationOperations } from './applications.js'
import { branchOperations } from './branches.js'
import { checkOperations } from './checks.js'
import { commitOperations } from './commits.js'
import { contentOperations } from './contents.js'
import { gitDataOperations } from './git-data.js'
import { hookOperations } from './hooks.js'
import { issueOperations } from './issues.js'
import { orgOperations } from './orgs.js'
import { pullOperations } from './pulls.js'
import { repositoryOperations } from './repositories.js'
import { searchOperations } from './search.js'
import { userOperations } from './users.js'
import { workflowOperations } from './workflows.js'

/** The first match answers, so specific operations come first. */
export const restOperations = [
  ...userOperations,
  ...orgOperations,
  ...applicationOperations,
  ...searchOperations,
  ...pullOperations,
  ...issueOperations,
  ...checkOperations,
  ...workflowOperations,
  ...commitOperations,
  ...branchOperations,
  ...contentOperations,
  ...gitDataOperations,
  ...activityOperations,
  ...hookOperations,
  ...repositoryOperations
]
