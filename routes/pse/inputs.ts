import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { paginate } from '../../lib/http/paginate.js'
import { findInput, listInputs } from '../../db/pse/inputs.js'
import { answerError, toApiError } from '../../lib/http/problem.js'
import { requireStorable } from '../../lib/http/storable.js'
import { ApiError, InvalidCursor, NotFound, type FieldError } from '../../schemas/errors.js'
import {
  AddedInputs, AddInputs, InputsBody, InputsForm, ListSpecInputs, maxInputBody, ReadSpecInput, SpecInputPage,
  SpecInputParams, SpecInputText
} from '../../schemas/pse/inputs.js'
import { SpecSessionParams } from '../../schemas/pse/sessions.js'
import { addInputs } from './lib/inputs/add-inputs.js'
import { readSession } from './lib/sessions/read-version.js'
import { describeInput } from './lib/inputs/describe-input.js'
import { FormBroken, inputErrors, SessionArchived } from './lib/errors.js'
import { addInputsTool } from './lib/sessions/session-tools.js'
import { readForm } from './read-form.js'
import { specFields } from './lib/field-words.js'

const singles = new WeakSet<FastifyRequest>()

const isSingle = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'kind' in body && !('inputs' in body)

/** A body that is a single input becomes a list of one. */
const wrapSingle = async (request: FastifyRequest): Promise<void> => {
  if (!isSingle(request.body)) return
  request.body = { inputs: [request.body] }
  singles.add(request)
}

const prefix = /(?<=^|\s)\/inputs\/0(?=\/|\s|$)/

const lift = ({ code, title, statusCode, message, members, headers }: ApiError): ApiError => {
  // The only shape of `errors` that ApiError carries.
  const errors = members.errors as FieldError[] | undefined
  const lifted = errors?.map((one) => ({ ...one, pointer: one.pointer.replace(prefix, '') }))
  return new ApiError(code, title, statusCode, message.replace(prefix, '').trim() || title,
    { ...members, ...(lifted && { errors: lifted }) }).withHeaders(headers)
}

/** Answers an error with pointers into the body as the client sent it. */
const answerSingle = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answerError(singles.has(request) ? lift(toApiError(error)) : error, request, reply)

const inputs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id/inputs', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which documents and notes a spec is made of.',
        gives: 'the inputs in the order in which they were given, without their texts.',
        keywords: 'inputs sources documents material given to spec specification based on',
        fields: specFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listSpecInputs',
      summary: 'List the inputs of a spec session',
      description: 'In the order in which they were given, without their texts. Inputs are added, never changed.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: ListSpecInputs,
      response: { 200: SpecInputPage }
    }
  }, async ({ principal, params, query }) => {
    const { id } = await readSession(app.db, principal.workspace_id, params.session_id)
    const page = await paginate(app, { principal, list: 'pse-inputs', filter: id, query },
      (key, limit) => listInputs(app.db, principal.workspace_id, id, Number(key?.[0] ?? 0), limit),
      ({ seq }) => [seq])
    return { ...page, items: page.items.map(describeInput) }
  })

  app.get('/sessions/:session_id/inputs/:input_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to read the text of one input of a spec, a part at a time.',
        gives: 'the text, with the offsets that citations name.',
        keywords: 'read text of input source document notes interview spec specification',
        fields: specFields
      }
    },
    schema: {
      operationId: 'getSpecInput',
      summary: 'Read one input of a spec session',
      description: 'The text that was taken out of the input, a part at a time. Offsets are those of citations.',
      tags: ['pse'],
      params: SpecInputParams,
      querystring: ReadSpecInput,
      response: { 200: SpecInputText }
    }
  }, async ({ principal, params, query: { offset, length } }) => {
    const row = await findInput(app.db, principal.workspace_id, params.session_id, params.input_id)
    if (!row) throw NotFound()
    const end = offset + length
    const text = row.text.slice(offset, end).toWellFormed()
    return { ...describeInput(row), text, next_offset: end < row.text.length ? end : null }
  })

  const asBytes = { parseAs: 'buffer' as const }
  app.addContentTypeParser('multipart/form-data', asBytes, async ({ headers }: FastifyRequest, bytes: Buffer) => {
    const body = await readForm(headers['content-type'] ?? '', bytes)
    requireStorable(body)
    return body
  })

  app.post('/sessions/:session_id/inputs', {
    bodyLimit: maxInputBody,
    preValidation: wrapSingle,
    errorHandler: answerSingle,
    config: {
      tool: addInputsTool,
      words: {
        foreign: false,
        use: 'Use this to give a spec more to be made of: texts, files, files of a repository, issues, answers to ' +
          'questions.',
        gives: 'the inputs that were added, all or none.',
        keywords: 'notes interview meeting minutes too also use add input source document file transcript ' +
          'answer decision to spec specification',
        fields: specFields
      },
      errors: [SessionArchived, FormBroken, ...inputErrors],
      bodies: { 'application/json': InputsBody, 'multipart/form-data': InputsForm }
    },
    schema: {
      operationId: 'addSpecInputs',
      summary: 'Add inputs to a spec session',
      description: 'Adds up to 20 inputs, all or none: what has to be fetched or read is so before anything is ' +
        'written. One input may be the whole body. Files may come as a form, which is the same as JSON with their ' +
        'bytes in base64.',
      tags: ['pse'],
      params: SpecSessionParams,
      body: AddInputs,
      response: { 201: AddedInputs }
    }
  }, async ({ principal, params, body }, reply) => {
    const { workspace_id: workspaceId } = principal
    const rows = await addInputs(app, principal, params.session_id, body.inputs)
    const { current_version } = await readSession(app.db, workspaceId, params.session_id)
    return reply.code(201).send({ inputs: rows.map(describeInput), current_version })
  })
}

export default inputs
