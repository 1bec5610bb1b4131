import { defineWriteTool, type Change, type Read, type Target } from '../../../../lib/tools/options.js'
import {
  ContentGeneration, ContentGenerationParams, RetryContentGeneration, type ContentOutput
} from '../../../../schemas/content/generation-records.js'
import { activeStatuses } from '../../../../schemas/content/generation-words.js'
import { ApiError } from '../../../../schemas/errors.js'
import { GenerationFinished } from '../errors.js'
import { holdersOf, readRecord, summarize } from '../tool-targets.js'
import { describeSlot, modelChanges } from './model-changes.js'

const urlOf = (id: string) => `/content/generations/${encodeURIComponent(id)}`

const titleOf = async ({ content_id: id }: ContentOutput, read: Read): Promise<string> => {
  if (id === null) return 'no record'
  try {
    return `"${(await readRecord(id, read)).title}"`
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return 'a deleted record'
    throw error
  }
}

interface Found { generation: ContentGeneration, titles: string[] }

const find = async (id: string, read: Read): Promise<Found> => {
  const generation = await read(urlOf(id), ContentGeneration)
  return { generation, titles: await Promise.all(generation.outputs.map((output) => titleOf(output, read))) }
}

/** The target includes the records that the generation writes: they are its own until it has ended. */
const targetOf = (id: string, { outputs, ...generation }: ContentGeneration): Target => ({
  kind: 'content_generation',
  id,
  within: {
    ...holdersOf(generation),
    ...Object.fromEntries(outputs.flatMap(({ number, content_id: content }) =>
      content === null ? [] : [[`content:${number}`, content]]))
  }
})

const describe = ({ generation: { mode }, titles }: Found) =>
  `the generation (${mode}) of ${[...new Set(titles)].slice(0, 3).join(', ')}${titles.length > 3 ? ' …' : ''}`

/** @returns a row for each output that is not done */
const openOutputs = ({ generation: { outputs }, titles }: Found, after: string): Change[] =>
  outputs.flatMap((output, index): Change[] => output.status === 'done'
    ? []
    : [{
        label: `${describeSlot(output)}: ${titles[index] ?? ''}`,
        before: output.error === null ? output.status : `${output.status}: ${output.error.message}`,
        after
      }])

const isActive = ({ status }: ContentGeneration) => activeStatuses.some((active) => active === status)

export const cancelGenerationTool = defineWriteTool({
  input: { params: ContentGenerationParams },
  reads: ['getContentGeneration'],
  basis: 'That it has not ended; how far it is may change, for what is stored already stays',
  async plan ({ generation_id: id }, read) {
    const found = await find(id, read)
    const { generation } = found
    const { status, cancel_requested_at: cancelledAt } = generation
    const rows = [{ label: 'Status', before: status, after: 'cancelled' }, ...openOutputs(found, 'cancelled')]
    if (!isActive(generation) && status !== 'cancelled') throw GenerationFinished(`It is ${status}`)
    return {
      target: targetOf(id, generation),
      summary: `Cancel ${describe(found)}`,
      // What was asked for already is not asked for again.
      changes: cancelledAt === null ? rows.map((change): Change => ({ ...change, binding: false })) : [],
      facts: { ended: !isActive(generation) },
      risk: ['own_records']
    }
  },
  reconcile: async ({ generation_id: id }, read) =>
    (await read(urlOf(id), ContentGeneration)).status === 'cancelled' ? 'done' : 'unclear'
})

export const retryGenerationTool = defineWriteTool({
  input: { params: ContentGenerationParams, body: RetryContentGeneration },
  editable: ['budget'],
  reads: ['getContentGeneration', 'retryContentGeneration'],
  basis: 'What is left to be done, and what the model may cost; what it is made of was kept when it was begun',
  async plan ({ generation_id: id, ...input }, read) {
    const found = await find(id, read)
    const planned = await read(`${urlOf(id)}/retry`, ContentGeneration, input)
    const { generation: { status, usage: { cost } } } = found
    return {
      target: targetOf(id, found.generation),
      summary: summarize(input.dry_run, `Go on with ${describe(found)}`),
      changes: [
        { label: 'Status', before: status, after: 'a new generation goes on' },
        ...openOutputs(found, 'written'),
        ...modelChanges(planned),
        { label: 'Spent so far', before: null, after: cost && `${cost.amount} ${cost.currency}`, binding: false, context: true }
      ],
      covered: ['dry_run'],
      effect: input.dry_run ? 'read' : 'write',
      risk: ['spends_on_model']
    }
  }
})
