import { chunkInput } from '../packages/spec-engine/src/engine/chunk.js'
import type { Source } from '../packages/spec-engine/src/engine/material.js'
import { compileTemplate } from '../packages/spec-engine/src/engine/compile.js'
import { checkDocument } from '../packages/spec-engine/src/checks/check-document.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'

/** What one process measured: milliseconds, and the most memory it held, in KiB. */
export interface SpecFigures {
  characters: number
  compileMs: number
  checkMs: number
  requirements: number
  maxRss: number
}

const nouns = ['door', 'lamp', 'bell', 'code', 'courier', 'parcel', 'screen', 'battery', 'hinge', 'customer']
const verbs = ['open', 'close', 'show', 'store', 'send', 'refuse', 'record', 'report', 'lock', 'check']

/** Sentences of a product brief, each another, some with numbers, conditions and headings. */
const textOf = (characters: number): string => {
  const parts: string[] = []
  for (let at = 0, length = 0; length < characters; at++) {
    const [noun, verb] = [nouns[at % 10], verbs[Math.floor(at / 10) % 10]]
    const part = at % 25 === 0
      ? `\n## Features of part ${at}\n`
      : at % 3 === 0
        ? `- When ${noun} ${at} is used, the system must ${verb} it within ${at % 60 + 1} seconds.`
        : `- The ${noun} of unit ${at} should ${verb} what the operator of area ${at % 97} wants to see there.`
    parts.push(part)
    length += part.length + 1
  }
  return parts.join('\n').slice(0, characters)
}

const sourceOf = (text: string): Source => {
  const input_id = '01900000-0000-7000-8000-000000000001'
  const media_type = 'text/markdown'
  const chunks = chunkInput(input_id, text, media_type)
  return { input_id, seq: 1, kind: 'text', label: '', media_type, text, chunks, superseded: false }
}

const timed = <T>(work: () => T): { value: T, ms: number } => {
  const from = performance.now()
  const value = work()
  return { value, ms: performance.now() - from }
}

const settings: SpecDocument['settings'] = {
  spec_type: 'feature',
  profile: 'full',
  notation: 'ears',
  locale: 'en',
  artifacts: ['requirements'],
  implementation_free: false,
  require_citations: true,
  max_requirements: 100_000
}

const measure = (characters: number): SpecFigures => {
  const text = textOf(characters)
  const session = { title: 'Bench', description: '', settings }
  const compiled = timed(() => {
    const inputs = [sourceOf(text)]
    return { inputs, document: compileTemplate({ session, inputs, standards: [] }) }
  })
  const { inputs, document } = compiled.value
  const checked = timed(() => checkDocument({ document, inputs, standards: [], now: new Date(0) }))
  return {
    characters,
    compileMs: compiled.ms,
    checkMs: checked.ms,
    requirements: document.requirements.length,
    maxRss: process.resourceUsage().maxRSS
  }
}

process.stdout.write(JSON.stringify(measure(Number(process.argv[2]))))
