import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ProposedPlan, ProposePlan, ProposeToolCall, ToolCall, ToolCallParams, ToolCallQuery
} from '../../schemas/agent/tool-calls.js'
import {
  ConfirmationNotFound, ToolCallNotFound, ToolCallRefused, ToolNotFound, ToolOnlyReads, TooManyWaiting
} from './lib/errors.js'
import { proposePlan, proposeToolCall, awaitToolCall, showToolCall } from './lib/calls/propose.js'
import { proposes } from './lib/access.js'

const proposalErrors = [ToolNotFound, ToolOnlyReads, ToolCallRefused, TooManyWaiting, ConfirmationNotFound]

const toolCalls: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/tool-calls', {
    config: { access: proposes, assistant: true, errors: proposalErrors },
    schema: {
      operationId: 'proposeToolCall',
      summary: 'Propose a write, for a person to approve',
      description: 'Executes nothing: the call waits in the approvals of its user, like one of the assistant, and is ' +
        'done once when a person approves it. For agents of other makers; `/mcp` offers it to MCP clients.',
      tags: ['agent'],
      body: ProposeToolCall,
      response: { 202: ToolCall }
    }
  }, async (request, reply) => {
    const id = await proposeToolCall(app, app.engine, request.principal, request.body)
    const location = `/api/v1/agent/tool-calls/${id}`
    const call = await showToolCall(app, request.principal, id)
    request.run_id = call.run_id
    return reply.code(202).header('location', location).send(call)
  })

  app.post('/tool-calls/plan', {
    config: { access: proposes, assistant: true, errors: proposalErrors },
    schema: {
      operationId: 'proposePlan',
      summary: 'Propose several writes, for a person to decide as one plan',
      description: 'As `proposeToolCall`, for writes that belong together: they wait as those of one turn of the ' +
        'assistant do, and `getPlanOfSteps` of one of their confirmations shows each on the state that those before ' +
        'it will leave. A call that cannot be asked refuses them all; `step` names it.',
      tags: ['agent'],
      body: ProposePlan,
      response: { 202: ProposedPlan }
    }
  }, async (request, reply) => {
    const proposed = await proposePlan(app, app.engine, request.principal, request.body)
    request.run_id = proposed.run_id
    return reply.code(202).send(proposed)
  })

  app.get('/tool-calls/:tool_call_id', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to read a result again that was left out of the conversation to save room, by the id that its ' +
          'line names.',
        gives: 'the call with its arguments, where it stands, and its result.',
        keywords: 'result again earlier call outcome left out',
        fields: { tool_call_id: 'The id of the call, as the line names it.' },
        leaveOut: ['wait_s']
      },
      errors: [ToolCallNotFound]
    },
    schema: {
      operationId: 'getToolCall',
      summary: 'One call of a tool',
      description: 'A call of a conversation, or one that was proposed: where it stands, what was decided, and its ' +
        'result when it has ended. Reads again what a conversation left out to save room. `wait_s` waits for the end.',
      tags: ['agent'],
      params: ToolCallParams,
      querystring: ToolCallQuery,
      response: { 200: ToolCall }
    }
  }, async (request) => {
    const { tool_call_id: id } = request.params
    return awaitToolCall(app, request.principal, id, request.query.wait_s * 1_000, request.signal)
  })
}

export default toolCalls
