import { Type, type Static } from '@sinclair/typebox'

export const ContentFailure = Type.Object({
  code: Type.String(), message: Type.String()
}, { $id: 'ContentFailure' })
export type ContentFailure = Static<typeof ContentFailure>

export const generationModes = ['create', 'rewrite', 'sections', 'adapt', 'translate', 'repair', 'check'] as const
export type GenerationMode = typeof generationModes[number]

/** What wrote the texts of a generation. */
export const writtenBy = ['template', 'anthropic'] as const
export type WrittenBy = typeof writtenBy[number]

export const activeStatuses = ['queued', 'running'] as const
export const contentGenerationStatuses =
  [...activeStatuses, 'succeeded', 'partial', 'failed', 'cancelled', 'budget_exceeded'] as const
export type ContentGenerationStatus = typeof contentGenerationStatuses[number]

export const outputStatuses = ['pending', 'done', 'failed', 'cancelled'] as const
export type OutputStatus = typeof outputStatuses[number]
