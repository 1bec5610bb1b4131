import type { SpecDocument } from '../schemas/document.js'
import type { TemplateTask } from './compile.js'

export type EngineName = Exclude<SpecDocument['engine']['name'], 'import'>
/** The modes in which an engine makes a document. */
export type Mode = 'full' | 'sections' | 'requirements' | 'repair' | 'import'

/** The task of one generation. The same task gives the same steps with the same fingerprints. */
export interface GenerationTask extends TemplateTask {
  engine: EngineName
  /** null for the template engine. */
  model: string | null
  mode: Mode
  /** In modes other than full: sections.<key>, ids of requirements and stories. All other parts stay. */
  targets: readonly string[]
  /** The caller's addition to the prompts; '' = none. */
  instructions: string
  /** Masks text that looks like a credential in prompts. */
  redact: boolean
  maxRepairRounds: number
}
