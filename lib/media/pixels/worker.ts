import { serveTasks } from '../../processes/serve-tasks.js'
import { pixelOperations } from './operations.js'

serveTasks(pixelOperations)
