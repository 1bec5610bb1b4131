import { serveTasks } from '../../../../lib/processes/serve-tasks.js'
import { operations } from 'steward-prose-engine/operations'

serveTasks(operations)
