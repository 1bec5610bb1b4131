import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type {
  CallToolResult, ContentBlock, GetPromptResult, InputRequiredResult, InputRequests, ServerContext
} from '@modelcontextprotocol/server'
import type { Offer } from '../../../routes/mcp/lib/offer.js'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'

/** What the official conformance suite looks for on a server, by the names that its scenarios require. */
const image: ContentBlock = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
}
const audio: ContentBlock = {
  type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
}
const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const resource = (uri: string, mimeType: string, words: string): ContentBlock =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } })
const json = (value: unknown) => JSON.stringify(value)

type Result = CallToolResult | InputRequiredResult
type Call = (context: ServerContext) => Result | Promise<Result>

const answer = (...content: ContentBlock[]): CallToolResult => ({ content })
const ask = (inputRequests: InputRequests, requestState?: string): InputRequiredResult =>
  ({ resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) })

type Kind = 'string' | 'boolean'
const question = (message: string, field: string, kind: Kind = 'string'): InputRequests[string] => {
  const type = kind === 'string' ? { type: 'string' as const } : { type: 'boolean' as const }
  const requestedSchema = { type: 'object' as const, properties: { [field]: type }, required: [field] }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}
const sample = (words: string): InputRequests[string] => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 50 }
})
const roots: InputRequests[string] = { method: 'roots/list' }

/** What the client answers goes through it and back: only what this process has signed is believed. */
const secret = randomBytes(32)
const signatureOf = (payload: string) => createHmac('sha256', secret).update(payload).digest('base64url')
const sign = (state: object): string => {
  const payload = Buffer.from(json(state)).toString('base64url')
  return `${payload}.${signatureOf(payload)}`
}

/** What an answer is refused with whose state was changed on its way. */
export class ForgedState extends Error {}

/** @returns what was signed; undefined in the first round. @throws ForgedState */
const stateOf = ({ mcpReq }: ServerContext): Record<string, unknown> | undefined => {
  const state = mcpReq.requestState<string>()
  if (state === undefined) return undefined
  const [payload = '', signature = ''] = String(state).split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(payload))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new ForgedState('The state is not ours')
  return fieldsOf(JSON.parse(Buffer.from(payload, 'base64url').toString()))
}

const inputs = ({ mcpReq }: ServerContext) => fieldsOf(mcpReq.inputResponses)
/** @returns the text or the value that a person gave in a form; undefined where there is none of its type */
const given = (context: ServerContext, key: string, field: string): unknown => {
  const value = fieldsOf(fieldsOf(inputs(context)[key]).content)[field]
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}
const rootsOf = (context: ServerContext, key: string): unknown[] | undefined => {
  const { roots: found } = fieldsOf(inputs(context)[key])
  return Array.isArray(found) ? found : undefined
}
const sampledOf = (context: ServerContext, key: string) => textIn(fieldsOf(inputs(context)[key]).content, 'text')

const confirmed: Call = (context) => stateOf(context) && given(context, 'confirm', 'ok') === true
  ? answer(text('state-ok, integrity-ok'))
  : ask({ confirm: question('Please confirm', 'ok', 'boolean') }, sign({ at: Date.now() }))

const severalRounds: Call = (context) => {
  const state = stateOf(context)
  const [name, color] = [given(context, 'step1', 'name'), given(context, 'step2', 'color')]
  if (state?.round === 2 && color !== undefined) return answer(text(`${state.name} likes ${color}`))
  if (state?.round === 1 && name !== undefined) {
    return ask({ step2: question('Which color?', 'color') }, sign({ round: 2, name }))
  }
  return ask({ step1: question('Which name?', 'name') }, sign({ round: 1 }))
}

const severalInputs: Call = (context) => {
  const [name, sampled, found] = [given(context, 'user_name', 'name'), sampledOf(context, 'greeting'),
    rootsOf(context, 'client_roots')]
  return stateOf(context) && name !== undefined && sampled !== undefined && found
    ? answer(text(`${sampled}, ${name}: ${found.length}`))
    : ask({ user_name: question('Which name?', 'name'), greeting: sample('Greet'), client_roots: roots }, sign({}))
}

const whatIsSupported: Call = (context) => {
  const { envelope } = context.mcpReq
  const capabilities = fieldsOf(fieldsOf(envelope)['io.modelcontextprotocol/clientCapabilities'])
  if (Object.keys(inputs(context)).length > 0) return answer(text('capabilities-ok'))
  const requests = {
    ...(capabilities.elicitation !== undefined && { elicit_input: question('Which value?', 'value') }),
    ...(capabilities.sampling !== undefined && { sample_input: sample('Say something') })
  }
  return Object.keys(requests).length > 0 ? ask(requests, sign({})) : answer(text('No supported capabilities'))
}

const tools: Record<string, Call> = {
  test_simple_text: () => answer(text('This is a simple text response for testing.')),
  test_image_content: () => answer(image),
  test_audio_content: () => answer(audio),
  test_embedded_resource: () =>
    answer(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () => answer(text('Multiple content types test:'), image,
    resource('test://mixed-content-resource', 'application/json', json({ test: 'data', value: 123 }))),
  test_error_handling: () =>
    ({ ...answer(text('This tool intentionally returns an error for testing')), isError: true }),
  test_input_required_result_elicitation: (context) => {
    const name = given(context, 'user_name', 'name')
    return name === undefined
      ? ask({ user_name: question('What is your name?', 'name') })
      : answer(text(`Hello, ${name}!`))
  },
  test_input_required_result_sampling: (context) => {
    const sampled = sampledOf(context, 'sample_request')
    return sampled === undefined
      ? ask({ sample_request: sample('What is the capital of France?') })
      : answer(text(sampled))
  },
  test_input_required_result_list_roots: (context) => {
    const found = rootsOf(context, 'roots_request')
    return found ? answer(text(`${found.length} roots`)) : ask({ roots_request: roots })
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: severalInputs,
  test_input_required_result_multi_round: severalRounds,
  test_input_required_result_capabilities: whatIsSupported
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Keywords of JSON Schema 2020-12 that a list must not lose. */
const wholeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false
}

const inputSchema = { type: 'object' as const }
const progressTool = 'test_tool_with_progress'

const toolsOffer: NonNullable<Offer['tools']> = {
  list: () => [
    ...[...Object.keys(tools), progressTool].map((name) =>
      ({ name, description: `For the test: ${name}`, inputSchema })),
    { name: 'json_schema_2020_12_tool', description: 'For the test: its schema', inputSchema: wholeSchema }
  ],
  call: async ({ name, progress }, context) => {
    if (name !== progressTool) return tools[name]?.(context)
    for (const done of [0, 50, 100]) {
      await progress?.({ progress: done, total: 100, message: `${done} of 100` })
      await pause()
    }
    return answer(text('Done'))
  }
}

const contents = new Map([
  ['test://static-text', { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  ['test://static-binary', { mimeType: 'image/png', blob: image.data }]
])
const template = /^test:\/\/template\/([^/]+)\/data$/

const resourcesOffer: NonNullable<Offer['resources']> = {
  templates: () => [{ name: 'test', description: 'For the test', uriTemplate: 'test://template/{id}/data' }],
  list: async () => ({
    resources: [...contents].map(([uri, { mimeType }]) => ({ uri, name: uri, description: 'For the test', mimeType }))
  }),
  read: async (uri) => {
    const found = contents.get(uri)
    if (found) return { contents: [{ uri, ...found }] }
    const [, id] = template.exec(uri) ?? []
    const body = json({ id, templateTest: true, data: `Data for ID: ${id}` })
    return id === undefined ? undefined : { contents: [{ uri, mimeType: 'application/json', text: body }] }
  }
}

const required = (...names: string[]) => names.map((name) => ({ name, description: 'For the test', required: true }))
const messages = (...all: ContentBlock[]): GetPromptResult =>
  ({ messages: all.map((content) => ({ role: 'user', content })) })

interface Known {
  names: string[]
  get: (args: Record<string, string>, context: ServerContext) => GetPromptResult | InputRequiredResult
}

const prompts: Record<string, Known> = {
  test_simple_prompt: { names: [], get: () => messages(text('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    names: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))
  },
  test_prompt_with_embedded_resource: {
    names: ['resourceUri'],
    get: ({ resourceUri = '' }) => messages(
      resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'))
  },
  test_prompt_with_image: { names: [], get: () => messages(image, text('Please analyze the image above.')) },
  test_input_required_result_prompt: {
    names: [],
    get: (_args, context) => {
      const about = given(context, 'user_context', 'context')
      return about === undefined
        ? ask({ user_context: question('What is it about?', 'context') })
        : messages(text(`Use this: ${about}`))
    }
  }
}

const promptsOffer: NonNullable<Offer['prompts']> = {
  list: () => Object.entries(prompts).map(([name, { names }]) =>
    ({ name, description: 'For the test', arguments: required(...names) })),
  get: async (name, args, context) => prompts[name]?.get(args, context)
}

export const conformanceOffer: Offer = { tools: toolsOffer, resources: resourcesOffer, prompts: promptsOffer }
