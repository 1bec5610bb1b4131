import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { checkerOf } from '../../../lib/tools/argument-check.js'
import { planOutput, readPlanOutput, writeOutput } from './output.js'

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
export const ownTools = [outcomeTool, againTool, planTool, readPlanTool]
