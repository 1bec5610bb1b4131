import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { BrandParams, BrandStyleList, BrandStyleRules, StyleParams } from '../../schemas/content/brands.js'
import { PutStyle } from 'steward-prose-engine/schemas'
import { NotFound } from '../../schemas/errors.js'
import { putStyle, readStyles, removeStyle } from './lib/brands/change-styles.js'
import { InvalidStyle, ProjectArchived, TooManyStyles } from './lib/errors.js'
import { contentFields } from './lib/field-words.js'
import { textErrors } from './lib/text/read-text.js'

const maxBytes = 2_000_000

const styles: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/brands/:project_id/styles', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which uploaded Vale styles the texts of a project are checked by.',
        gives: 'each style with its rules, and those that are not applied, with the reason.',
        keywords: 'vale style guide package linter prose rules google microsoft uploaded which checks',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'listBrandStyles',
      summary: 'List the Vale styles of a brand',
      description: 'By name, each with the rules that a brand report applies, and the refused ones with the reason.',
      tags: ['content'],
      params: BrandParams,
      response: { 200: BrandStyleList }
    }
  }, async ({ principal, params }) =>
    ({ items: await readStyles(app.db, principal.workspace_id, params.project_id) }))

  app.put('/brands/:project_id/styles/:style', {
    bodyLimit: maxBytes,
    config: {
      access: { scope: 'content:write', role: 'admin' },
      errors: [ProjectArchived, InvalidStyle, TooManyStyles, ...textErrors]
    },
    schema: {
      operationId: 'putBrandStyle',
      summary: 'Upload a Vale style into a brand',
      description: 'The rules of a Vale package, as files or as a zip archive, in place of the style of that name. ' +
        'existence, substitution, occurrence, repetition, consistency, conditional, capitalization and metric are ' +
        'applied to every later report, as VALE-<style>.<rule>. Rules that need a program, part-of-speech tags or an ' +
        'expression that backtracks are refused, each with its reason. A broken file refuses all: 422 ' +
        '`invalid_style` with file and line.',
      tags: ['content'],
      params: StyleParams,
      body: PutStyle,
      response: { 200: BrandStyleRules, 201: BrandStyleRules }
    }
  }, async ({ principal, params, body }, reply) => {
    const { style, created } = await putStyle(app.db, principal, params.project_id, params.style, body)
    reply.code(created ? 201 : 200)
    return style
  })

  app.delete('/brands/:project_id/styles/:style', {
    config: { access: { scope: 'content:write', role: 'admin' }, errors: [ProjectArchived, NotFound] },
    schema: {
      operationId: 'deleteBrandStyle',
      summary: 'Remove a Vale style from a brand',
      description: 'Later reports do not apply its rules.',
      tags: ['content'],
      params: StyleParams,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeStyle(app.db, principal, params.project_id, params.style)
    return reply.code(204).send(null)
  })
}

export default styles
