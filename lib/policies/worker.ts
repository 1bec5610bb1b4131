import { serveTasks } from '../processes/serve-tasks.js'
import { operations } from './operations.js'

// Cedar answers what it does not take. What it throws is a fault of the machine that it runs in, whose memory is then
// as it was in the middle of the work: nothing more is asked of it.
serveTasks(operations, { endsOnThrow: true })
