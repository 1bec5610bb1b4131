import type { Channel, ContentBody, Network } from 'steward-prose-engine/schemas'
import type { ContentFailure, OutputStatus } from '../../schemas/content/generation-words.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'

const columns = ['generation_id', 'number', 'content_id', 'channel', 'network', 'locale', 'variant', 'base_version',
  'source_id', 'source_version', 'status', 'result_version', 'suggestions', 'refused', 'error'] as const

export const listOutputs = (db: Db, workspaceId: string, generationIds: string[]) => generationIds.length === 0
  ? Promise.resolve([])
  : db.selectFrom('content_generation_output').select(columns).where('workspace_id', '=', workspaceId)
    .where('generation_id', 'in', generationIds).orderBy('generation_id').orderBy('number').execute()

export type OutputRow = Awaited<ReturnType<typeof listOutputs>>[number]

export interface NewOutput {
  number: number
  content_id: string
  channel: Channel
  network: Network | null
  locale: string
  variant: number
  base_version: number
  source_id: string | null
  source_version: number | null
  status: Extract<OutputStatus, 'pending' | 'done'>
  result_version?: number
}

/** @returns whether an error means that another generation writes the record */
export const isRecordBusy = duplicateOf('content_generation_busy')

/** @throws as isRecordBusy */
export const insertOutputs = async (db: Db, workspaceId: string, generationId: string, made: NewOutput[]):
Promise<void> => {
  await db.insertInto('content_generation_output').values(made.map((one) =>
    ({ ...one, workspace_id: workspaceId, generation_id: generationId, refused: '[]' }))).execute()
}

/** @returns the generation that writes a record now */
export const findBusy = async (db: Db, workspaceId: string, contentIds: string[]): Promise<string | undefined> =>
  (await db.selectFrom('content_generation_output').select('generation_id').where('workspace_id', '=', workspaceId)
    .where('content_id', 'in', contentIds).where('status', '=', 'pending').limit(1).executeTakeFirst())?.generation_id

export interface OutputChange {
  number: number
  status: Exclude<OutputStatus, 'pending'>
  proposal?: ContentBody
  result_version?: number | null
  suggestions?: number
  refused?: string[]
  error?: ContentFailure
}

export const updateOutput = async (db: Db, workspaceId: string, generationId: string, change: OutputChange):
Promise<void> => {
  const { number, proposal, refused, error, ...rest } = change
  await db.updateTable('content_generation_output').set({
    ...rest,
    ...(proposal && { proposal: JSON.stringify(proposal) }),
    ...(refused && { refused: JSON.stringify(refused) }),
    ...(error && { error: JSON.stringify(error) })
  }).where('workspace_id', '=', workspaceId).where('generation_id', '=', generationId).where('number', '=', number)
    .execute()
}

/** Ends the pending outputs of a generation. */
export const endOutputs = async (db: Db, workspaceId: string, generationId: string,
  status: Extract<OutputStatus, 'failed' | 'cancelled'>, error: ContentFailure): Promise<void> => {
  await db.updateTable('content_generation_output').set({ status, error: JSON.stringify(error) })
    .where('workspace_id', '=', workspaceId).where('generation_id', '=', generationId).where('status', '=', 'pending')
    .execute()
}

/** @returns every text that an engine wrote for a record: any other text is a person's */
export const listEngineTexts = async (db: Db, workspaceId: string, contentId: string): Promise<ContentBody[]> => {
  const versions = await db.selectFrom('content_version').select('body').where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId).where('origin', '=', 'generated').execute()
  const proposals = await db.selectFrom('content_generation_output').select('proposal')
    .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId)
    .where('proposal', 'is not', null).execute()
  return [...versions.map(({ body }) => body), ...proposals.flatMap(({ proposal }) => proposal ?? [])]
}

/** @returns the newest generation that wrote, or writes, each of the records */
export const findLastOutput = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_generation_output').select(['generation_id as id', 'status', 'error'])
    .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId)
    .orderBy('generation_id', 'desc').limit(1).executeTakeFirst()
