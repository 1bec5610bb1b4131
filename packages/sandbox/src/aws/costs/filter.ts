import type { Expression, GroupDefinition, MatchOption } from '@aws-sdk/client-cost-explorer'
import { validation } from '../core/errors.js'
import type { Account } from '../core/world.js'
import type { CostLine } from './state.js'

const DIMENSIONS: Record<string, (line: CostLine, account: Account) => string> = {
  SERVICE: (line) => line.service,
  REGION: (line) => line.region,
  USAGE_TYPE: (line) => line.usageType,
  RECORD_TYPE: (line) => line.recordType,
  LINKED_ACCOUNT: (_, account) => account.id
}

/** Whether a line passes a filter of Cost Explorer. */
export function passes (filter: Expression | undefined, line: CostLine, account: Account): boolean {
  if (!filter) return true
  if (filter.And) return filter.And.every((one) => passes(one, line, account))
  if (filter.Or) return filter.Or.some((one) => passes(one, line, account))
  if (filter.Not) return !passes(filter.Not, line, account)
  if (filter.Dimensions) {
    const { Key, Values = [], MatchOptions = [] } = filter.Dimensions
    return matches(dimension(Key, line, account), Values, MatchOptions)
  }
  if (filter.Tags) {
    const { Key = '', Values = [], MatchOptions = [] } = filter.Tags
    return matches(line.tags[Key] ?? '', Values, MatchOptions)
  }
  throw validation('Expression must have exactly one of And, Or, Not, Dimensions, Tags.')
}

/** The key of a line in a grouping: `Amazon S3`, or `team$web`. */
export function groupKey ({ Type, Key = '' }: GroupDefinition, line: CostLine, account: Account): string {
  if (Type === 'TAG') return `${Key}$${line.tags[Key] ?? ''}`
  if (Type === 'DIMENSION') return dimension(Key, line, account)
  throw validation(`Group definition type ${Type ?? 'null'} is not supported by the sandbox.`)
}

function dimension (key: string | undefined, line: CostLine, account: Account): string {
  const read = DIMENSIONS[key ?? '']
  if (!read) throw validation(`Dimension ${key ?? 'null'} is not supported by the sandbox.`)
  return read(line, account)
}

function matches (value: string, values: string[], options: MatchOption[]): boolean {
  if (options.includes('ABSENT')) return value === ''
  if (options.includes('STARTS_WITH')) return values.some((one) => value.startsWith(one))
  return values.includes(value)
}
