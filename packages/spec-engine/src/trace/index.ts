export { ancestorsOf } from './ancestors.js'
export { closedIn, namedIn, namedInBranch } from './names.js'
export { withoutReverted, withoutRevertedPulls } from './reverts.js'
