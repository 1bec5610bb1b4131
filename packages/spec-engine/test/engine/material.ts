import type { SpecDocument, SpecSettings } from 'steward-spec-engine/schemas'
import { chunkInput } from '../../src/engine/chunk.js'
import type { Source } from '../../src/engine/material.js'
import { compileTemplate, type TemplateTask } from '../../src/engine/compile.js'

export const inputId = (seq: number) => `01900000-0000-7000-8000-${String(seq).padStart(12, '0')}`

/** An input with a text, in the form that the engine reads. */
export const source = (text: string, more: Partial<Source> = {}): Source => {
  const seq = more.seq ?? 1
  const media_type = more.media_type ?? 'text/markdown'
  const input_id = inputId(seq)
  const chunks = chunkInput(input_id, text, media_type)
  return { input_id, seq, kind: 'text', label: '', media_type, text, chunks, superseded: false, ...more }
}

export const settings = (more: Partial<SpecSettings> = {}): SpecSettings => ({
  spec_type: 'feature',
  profile: 'kernel',
  notation: 'ears',
  locale: 'en',
  artifacts: ['requirements'],
  implementation_free: false,
  require_citations: true,
  max_requirements: 25,
  ...more
})

export const session = (more: Partial<SpecSettings> = {}) =>
  ({ title: 'A title', description: '', settings: settings(more) })

export const compile = (text: string | Source[], more: Partial<TemplateTask> = {}): SpecDocument => compileTemplate({
  session: session(), inputs: typeof text === 'string' ? [source(text)] : text, standards: [], ...more
})
