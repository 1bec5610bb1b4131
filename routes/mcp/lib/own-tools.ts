import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { highestRole } from '../../../lib/access/require-access.js'
import { compileJson } from '../../../lib/openapi/json-schemas.js'
import { outputSchema } from '../../../lib/openapi/tool-schema.js'
import { hasRole, hasScope, type Principal } from '../../../lib/security/principal.js'
import { finder } from '../../../lib/tools/search.js'
import { checkerOf, type Tool } from '../../../lib/tools/tool.js'
import type { Tools } from '../../../plugins/tools.js'
import { isListed, type Selection } from './selection.js'

/** What the answers of a tool have in common, as its clients may check it. */
export interface Output {
  schema: NonNullable<McpTool['outputSchema']>
  fits: (value: unknown) => boolean
}

const outputOf = (schema: Output['schema']): Output => ({ schema, fits: compileJson(schema) })

/**
 * What a write answers: a pending approval; or the call itself, as getToolCall has it, where it only reads. Both say
 * where it stands.
 */
export const writeOutput: Output = outputOf({
  type: 'object',
  properties: {
    status: { type: 'string' },
    tool_call_id: { type: 'string' },
    executed: { type: 'boolean' }
  },
  required: ['status', 'tool_call_id']
})

const steps = { type: 'array', items: { type: 'object' } } as const

/** What a proposed plan answers. */
const planOutput: Output = outputOf({
  type: 'object', properties: { status: { type: 'string' }, steps }, required: ['status', 'steps']
})

/** A plan as it waits or as far as it has come; or the call alone, which is in none. */
export const readPlanOutput: Output = outputOf({ type: 'object', properties: { steps } })

const outputs = new WeakMap<Tool, { output: Output | undefined }>()

const makeOutput = (tool: Tool): Output | undefined => {
  if (tool.effect === 'write') return writeOutput
  const schema = outputSchema(tool.answer)
  return schema && outputOf(schema)
}

/** Made when it is first asked for: a start does not wait for a hundred. @returns undefined for answers of no object */
export const outputFor = (tool: Tool): Output | undefined => {
  const known = outputs.get(tool) ?? { output: makeOutput(tool) }
  outputs.set(tool, known)
  return known.output
}

/** Fetches the outcome of a proposed write, in the words of an MCP client: the assistant gets outcomes by itself. */
export const outcomeTool: McpTool = {
  name: 'getToolCall',
  title: 'Outcome of a proposed write',
  description: 'Where a write stands that was proposed before: awaiting a person, decided, or ended with its result. ' +
    'wait_s waits up to that many seconds for the end.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_call_id: { type: 'string', format: 'uuid' },
      wait_s: { type: 'integer', minimum: 0, maximum: 60 }
    },
    required: ['tool_call_id'],
    additionalProperties: false
  },
  outputSchema: writeOutput.schema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
}

export const checkOutcome = checkerOf(outcomeTool.inputSchema)

/** Proposes a write again as a person wants it: their answer and the new question are on one thread. */
export const againTool: McpTool = {
  name: 'proposeAgain',
  title: 'Propose a write as a person asked for it',
  description: 'Use this when the outcome of a proposed write is rejected with changes_requested: proposes the same ' +
    'tool with arguments that follow the person\'s words, so that they see it as the answer to them. ' +
    'It answers a pending approval, and executes nothing before that is given.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_call_id: { type: 'string', format: 'uuid', description: 'The call that was rejected' },
      arguments: { type: 'object', description: 'All arguments of that tool, with the changes' }
    },
    required: ['tool_call_id', 'arguments'],
    additionalProperties: false
  },
  outputSchema: writeOutput.schema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
}

export const checkAgain = checkerOf(againTool.inputSchema)

/** Proposes several writes that a person decides as one. */
export const planTool: McpTool = {
  name: 'proposePlan',
  title: 'Propose several writes as one plan',
  description: 'Use this for writes that belong together, such as three deployments: a person sees them as steps in ' +
    'their order, each on the state that those before it will leave, and decides them as one. They run in that ' +
    'order, and the first that does not succeed ends the plan. Executes nothing before it is approved; you can read ' +
    'it with getPlan, and never decide it.',
  inputSchema: {
    type: 'object',
    properties: {
      calls: {
        type: 'array',
        minItems: 2,
        maxItems: 10,
        description: 'Writes in the order in which they are to run',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'A tool that writes' },
            arguments: { type: 'object', description: 'The arguments of that tool' },
            follows: {
              type: 'string', format: 'uuid', description: 'The confirmation in which a person asked for changes of it'
            }
          },
          required: ['name', 'arguments'],
          additionalProperties: false
        }
      }
    },
    required: ['calls'],
    additionalProperties: false
  },
  outputSchema: planOutput.schema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
}

export const checkPlan = checkerOf(planTool.inputSchema)

/** Reads a plan of steps, before and after its decision. */
export const readPlanTool: McpTool = {
  name: 'getPlan',
  title: 'The plan of steps of a proposed write',
  description: 'The writes that wait together with this one, as steps in their order: what each changes, its risk, ' +
    'how it is taken back, and who still has to approve. After the decision: where each step stands, and which one ' +
    'stopped the plan.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_call_id: { type: 'string', format: 'uuid', description: 'One of the calls that were proposed together' }
    },
    required: ['tool_call_id'],
    additionalProperties: false
  },
  outputSchema: readPlanOutput.schema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
}

export const checkReadPlan = checkerOf(readPlanTool.inputSchema)

/** What a client of MCP needs that proposes: Steward's own assistant has no use for them. */
const proposing = [outcomeTool, againTool, planTool, readPlanTool]

const named: McpTool['inputSchema'] = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'As findTools names it' },
    arguments: { type: 'object', description: 'What the input schema of that tool takes' }
  },
  required: ['name', 'arguments'],
  additionalProperties: false
}

/** The list has the core alone; this finds the others. */
export const findTool: McpTool = {
  name: finder,
  title: 'Find other tools',
  description: 'This list has the tools that are needed most; there are many more. Say in a few words what you want to ' +
    'do. Answers the tools that fit, with their input schemas: call them with readWith, or proposeWith where they write.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1, maxLength: 300, description: 'Such as: alarms of a function' } },
    required: ['query'],
    additionalProperties: false
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
}

export const checkFind = checkerOf(findTool.inputSchema)

/** Calls a tool that the list does not have: most clients call no other. */
export const readWithTool: McpTool = {
  name: 'readWith',
  title: 'Call a tool that reads',
  description: 'Calls a tool that findTools has named and that reads. Refuses one that writes.',
  inputSchema: named,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
}

/** The same for writes, so that a client can ask its person about these alone. */
export const proposeWithTool: McpTool = {
  name: 'proposeWith',
  title: 'Propose a write by a tool that was found',
  description: 'Proposes a write by a tool that findTools has named. It answers a pending approval, and executes ' +
    'nothing before that is given.',
  inputSchema: named,
  outputSchema: writeOutput.schema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
}

export const checkNamed = checkerOf(named)

const asks = 'Asks a person first: answers a pending approval, and executes nothing before it is given.'

/** Proposing and fetching are operations of the agent's area, so they need its rights too. */
export const mayPropose = (principal: Principal): boolean =>
  hasRole({ role: highestRole(principal) }, 'operator') && hasScope(principal, 'agent:write') &&
  hasScope(principal, 'agent:read')

/** Areas whose operations reach nothing but Steward's own database. */
const closed: readonly string[] = ['account', 'agent', 'record', 'service']

/** Whether it meets things that others run, or texts that others wrote. */
const isOpen = ({ access, words }: Tool): boolean => {
  const [area = ''] = access?.scope.split(':') ?? []
  return words.foreign || !closed.includes(area)
}

const toMcp = (tool: Tool): McpTool => {
  const { name, description, input_schema } = tool.model
  const reads = tool.effect === 'read'
  const output = outputFor(tool)
  return {
    name,
    title: tool.title,
    description: reads ? description : `${description} ${asks}`,
    // Made from the route's parts: an object schema with properties.
    inputSchema: input_schema as McpTool['inputSchema'],
    ...(output && { outputSchema: output.schema }),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && tool.options?.additive !== true,
      idempotentHint: tool.isIdempotent,
      openWorldHint: isOpen(tool)
    }
  }
}

const ownNames = new Set([...proposing, findTool, readWithTool, proposeWithTool].map(({ name }) => name))

/** @returns the tools that were asked for and that the principal may use, and those of a client that proposes */
export const listTools = (tools: Tools, principal: Principal, selection: Selection): McpTool[] => {
  const proposes = mayPropose(principal) && !selection.readOnly
  const usable = tools.list(principal).filter(({ name }) => !ownNames.has(name))
    .flatMap(({ name }) => tools.find(name) ?? [])
    .filter((tool) => isListed(selection, tool) && (tool.effect === 'read' || proposes))
  const finding = selection.of === 'core' ? [findTool, readWithTool, ...(proposes ? [proposeWithTool] : [])] : []
  const listed = [...usable.map(toMcp), ...finding, ...(proposes ? proposing : [])]
  // Half of the bytes are schemas of answers, which programs check: whoever has little room does without them.
  return selection.of === 'core' ? listed.map(({ outputSchema: _, ...tool }) => tool) : listed
}

/** How many a search answers. */
const found = 8

/** @returns what fits, as a model needs it to call them */
export const findTools = (tools: Tools, principal: Principal, selection: Selection, query: string): object => {
  const proposes = mayPropose(principal) && !selection.readOnly
  const fitting = tools.search(principal, query, 3 * found)
    .filter(({ name, effect }) => !ownNames.has(name) && (effect === 'read' || proposes)).slice(0, found)
  return {
    tools: fitting.map((tool) => {
      const { name, description, inputSchema } = toMcp(tool)
      return { name, description, call_with: tool.effect === 'read' ? readWithTool.name : proposeWithTool.name, inputSchema }
    })
  }
}
