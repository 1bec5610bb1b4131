import { AwsError } from './errors.js'

type Test = (pattern: string, text: string) => boolean

/** One statement, with every list as a list. */
export interface PolicyStatement {
  effect: 'Allow' | 'Deny'
  actions: string[]
  notActions: string[]
  resources: string[]
  notResources: string[]
  conditions: { operator: string, key: string, values: string[] }[]
}

export interface Policy { statements: PolicyStatement[] }

/** What a policy is asked about. `context` has the condition keys that the call sets, in lower case. */
export interface PolicyQuestion { action: string, resource: string, context?: Record<string, string> }

const malformed = (why: string) => new AwsError('MalformedPolicyDocument', why)

const operators: Record<string, Test> = {
  StringEquals: (pattern, text) => pattern === text,
  StringNotEquals: (pattern, text) => pattern !== text,
  StringLike: matches,
  ArnLike: matches,
  ArnEquals: matches
}

const STATEMENT_KEYS = new Set(['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition'])

/** Reads an identity-based policy, as STS and IAM do. @throws MalformedPolicyDocument */
export function parsePolicy (text: string): Policy {
  const document = object(parseJson(text), 'Syntax errors in policy.')
  const { Version, Statement, Id: _id, ...rest } = document
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw malformed(`Syntax error: unknown field ${unknown}.`)
  // Only this version knows policy variables, such as ${*}.
  if (Version !== '2012-10-17') throw malformed('The sandbox takes policies of the Version 2012-10-17.')
  const statements = Array.isArray(Statement) ? Statement : [Statement]
  if (statements.length === 0) throw malformed('Policy statement must not be empty.')
  return { statements: statements.map(parseStatement) }
}

function parseStatement (value: unknown): PolicyStatement {
  const statement = object(value, 'Policy statement must be an object.')
  const unknown = Object.keys(statement).find((key) => !STATEMENT_KEYS.has(key))
  if (unknown?.endsWith('Principal')) throw malformed('Policy document should not specify a principal.')
  if (unknown !== undefined) throw malformed(`Syntax error: unknown field ${unknown}.`)
  const { Effect, Action, NotAction, Resource, NotResource, Condition } = statement
  if (Effect !== 'Allow' && Effect !== 'Deny') throw malformed('Effect must be Allow or Deny.')
  if ((Action === undefined) === (NotAction === undefined)) throw malformed('Policy statement must contain actions.')
  if ((Resource === undefined) === (NotResource === undefined)) {
    throw malformed('Policy statement must contain resources.')
  }
  return {
    effect: Effect,
    actions: list(Action, requireAction),
    notActions: list(NotAction, requireAction),
    resources: list(Resource, requireResource),
    notResources: list(NotResource, requireResource),
    conditions: Condition === undefined ? [] : parseConditions(object(Condition, 'Condition must be an object.'))
  }
}

function parseConditions (conditions: Record<string, unknown>) {
  return Object.entries(conditions).flatMap(([operator, tests]) => {
    if (!(operator in operators)) throw malformed(`Invalid Condition type : ${operator}.`)
    return Object.entries(object(tests, 'Condition must be an object.'))
      .map(([key, values]) => ({ operator, key: key.toLowerCase(), values: list(values, () => undefined) }))
  })
}

function requireAction (action: string): void {
  if (action !== '*' && !/^[a-zA-Z0-9-]+:[\w*?]+$/.test(action)) {
    throw malformed('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.')
  }
}

function requireResource (resource: string): void {
  if (resource !== '*' && !/^arn:[^:]+:[^:]+:[^:]*:[^:]*:.+/.test(resource)) {
    throw malformed(`Resource ${resource} must be in ARN format or "*".`)
  }
}

function list (value: unknown, requireValid: (text: string) => void): string[] {
  if (value === undefined) return []
  const values: unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw malformed('Policy statement must not have empty lists.')
  return values.map((one) => {
    if (typeof one !== 'string' || one === '') throw malformed('Syntax errors in policy.')
    requireValid(one)
    return one
  })
}

function object (value: unknown, why: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(why)
  return { ...value }
}

function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('This policy contains invalid Json')
  }
}

/** Policy variables of one character, wildcards, and what means something in an expression only. */
const SPECIAL = /\$\{([*?$])\}|([*?])|([.+^$(){}|[\]\\])/g

/** `*` and `?` are wildcards; `${*}`, `${?}` and `${$}` are those characters themselves. */
function matches (pattern: string, text: string): boolean {
  const source = pattern.replace(SPECIAL, (_all, own?: string, wild?: string, sign?: string) => {
    if (wild !== undefined) return wild === '*' ? '.*' : '.'
    return `\\${own ?? sign}`
  })
  return new RegExp(`^${source}$`, 's').test(text)
}

/** What the policy says of the call; without a word of it the call is denied implicitly. */
export function evaluate ({ statements }: Policy, question: PolicyQuestion): 'allowed' | 'denied' | 'silent' {
  const effects = statements.filter((one) => covers(one, question)).map(({ effect }) => effect)
  if (effects.includes('Deny')) return 'denied'
  return effects.length > 0 ? 'allowed' : 'silent'
}

function covers (statement: PolicyStatement, { action, resource, context = {} }: PolicyQuestion): boolean {
  const { actions, notActions, resources, notResources, conditions } = statement
  const named = (patterns: string[], others: string[], test: (pattern: string) => boolean) =>
    patterns.length > 0 ? patterns.some(test) : !others.some(test)
  return named(actions, notActions, (pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
    named(resources, notResources, (pattern) => matches(pattern, resource)) &&
    conditions.every(({ operator, key, values }) => isMet(operator, values, context[key]))
}

/** A key that the call does not set meets no condition but a negated one. */
function isMet (operator: string, values: string[], found: string | undefined): boolean {
  const isNegated = operator.includes('Not')
  if (found === undefined) return isNegated
  const test = (value: string) => operators[operator]?.(value, found) === true
  return isNegated ? values.every(test) : values.some(test)
}
