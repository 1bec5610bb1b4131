import { serveTasks } from '../../processes/serve-tasks.js'
import { pixelOperations } from '../../../packages/document-reader/src/pixels/operations.js'

serveTasks(pixelOperations)
