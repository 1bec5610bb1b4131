import type { ResolvedStandard } from '../schemas/standards.js'
import type { SpecDocument } from '../schemas/document.js'
import { applyAnswers } from './apply-answers.js'
import { uncoveredOf } from './coverage.js'
import { Ids } from './identify.js'
import { materialOf, type SessionView, type Source } from './material.js'
import { readSource, type Unit } from './read-source.js'
import { notTakenOf } from './not-taken.js'
import { collectDecisions } from './template-decisions.js'
import { collectQuestions } from './template-questions.js'
import { collectRequirements } from './template-requirements.js'
import { collectSections, collectSummary } from './template-sections.js'
import { collectStructure } from './template-structure.js'
import { collectTasks } from './template-tasks.js'

export const templateVersion = 'template/1'

const notice = 'Compiled without a language model. Requirements below are sentences found in the inputs, sorted and ' +
  'normalised. Nothing was inferred; see Open questions for what is missing.'

export interface TemplateTask {
  session: SessionView
  inputs: readonly Source[]
  standards: readonly ResolvedStandard[]
  /** The version before: its ids and answered questions carry over. */
  base?: SpecDocument | undefined
  /** The number of the new version. */
  version?: number
}

/** What the parts of the template engine share while they build one document. */
export interface Build extends Required<Omit<TemplateTask, 'base' | 'inputs'>> {
  base: SpecDocument | undefined
  sources: Source[]
  all: readonly Source[]
  units: Unit[]
  ids: Ids
}

const prepare = ({ session, inputs, standards, base, version = 1 }: TemplateTask): Build => {
  const sources = materialOf(inputs)
  const read = sources.flatMap((source) => readSource(source, session.settings.locale))
  const units = applyAnswers(read, base, inputs)
  return { session, standards, base, version, sources, all: inputs, units, ids: new Ids(base) }
}

const head = ({ session }: Build) => ({
  schema: 'pse.spec/1' as const,
  engine: {
    name: 'template' as const,
    version: templateVersion,
    model: null,
    capabilities: { infers: false, rewrites: 'mechanical' as const },
    notice
  },
  settings: session.settings,
  title: session.title
})

/**
 * Compiles a spec from the sentences of its inputs without a model: it infers nothing, and every requirement is a
 * sentence of an input. The same inputs, standards and base give the same document byte for byte, in time linear in
 * the inputs.
 */
export const compileTemplate = (task: TemplateTask): SpecDocument => {
  const build = prepare(task)
  const { stories, requirements, dropped, loose } = collectRequirements(build)
  const structure = collectStructure(build)
  const notes = collectDecisions(build)
  const base = { ...head(build), ...collectSummary(build), ...collectSections(build, stories), ...structure }
  const questions = collectQuestions(build, { requirements, loose, dropped }, notes.dismissed)
  const uncovered = uncoveredOf(build.units, [...requirements, ...stories, ...base.success_criteria], dropped)
  return {
    ...base,
    stories,
    requirements,
    assumptions: [...base.assumptions, ...notes.assumptions],
    open_questions: questions,
    decisions: notes.decisions,
    design: build.base?.design ?? null,
    tasks: collectTasks(build, requirements),
    uncovered,
    ...notTakenOf(build.units),
    locked_sections: build.base?.locked_sections ?? [],
    counters: build.ids.counters
  }
}
