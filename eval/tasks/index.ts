import type { Task } from '../task.js'
import { account } from './account.js'
import { across } from './across.js'
import { ambiguity } from './ambiguity.js'
import { codehost } from './codehost.js'
import { content } from './content.js'
import { deployments } from './deployments.js'
import { infrastructure } from './infrastructure.js'
import { injection } from './injection.js'
import { refusal } from './refusal.js'
import { specs } from './specs.js'

export const tasks: Task[] = [
  ...infrastructure, ...deployments, ...codehost, ...specs, ...content, ...account, ...across, ...refusal, ...injection,
  ...ambiguity
]
