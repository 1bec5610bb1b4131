import { serveTasks } from '../../../../lib/processes/serve-tasks.js'
import { operations } from 'steward-spec-engine/operations'

serveTasks(operations)
