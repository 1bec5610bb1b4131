import { serveTasks } from '../../../../lib/processes/serve-tasks.js'
import { operations } from './operations.js'

serveTasks(operations)
