import { serveTasks } from '../../processes/serve-tasks.js'
import { pixelOperations } from 'steward-document-reader/pixels'

serveTasks(pixelOperations)
