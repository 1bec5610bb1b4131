import type { Operation } from '../core/operation.js'
import { codeOperations } from './code.js'
import { functionOperations } from './functions.js'
import { invokeOperations } from './invoke.js'

export const lambdaOperations: Record<string, Operation> = {
  ...functionOperations,
  ...invokeOperations,
  ...codeOperations
}
