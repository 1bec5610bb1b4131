import { serveTasks } from '../../../../lib/threads/serve-tasks.js'
import { operations } from './operations.js'

serveTasks(operations)
