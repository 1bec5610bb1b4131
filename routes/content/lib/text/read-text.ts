import { TaskProcesses } from '../../../../lib/processes/task-processes.js'
import { Overloaded } from '../../../../schemas/errors.js'
import { TextTooComplex } from '../errors.js'
import type { Operations } from 'steward-prose-engine/operations'

/** The errors of reading a text. */
export const textErrors = [TextTooComplex, Overloaded]

/** Twenty times the work of ordinary prose: at most 15 s of a processor, for the longest body of a record. */
const baseMs = 3_000
const msPerChar = 0.06

const texts = new TaskProcesses<Operations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 512,
  cpuMs: (chars) => baseMs + chars * msPerChar,
  tooComplex: () => TextTooComplex('Write it with fewer levels of quotations and lists, and fewer marks of emphasis'),
  overloaded: (detail = 'The machine is too busy to read the text') =>
    Overloaded(detail).withHeaders({ 'retry-after': '10' })
})

/**
 * Runs an operation on copies of its arguments. Markdown takes quadratic time for some texts, which hold up their
 * process for as long as their size allows, and nothing else.
 * @throws text_too_complex when it takes more work than a text of that size may, or is nested too deeply; overloaded
 */
export const readText = texts.run.bind(texts)
