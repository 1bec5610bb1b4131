import type { NotTaken, SpecDocument } from '../schemas/document.js'
import { checkDocument } from '../checks/check-document.js'
import { compareDocuments } from '../diff/compare-documents.js'
import { materialOf, type Source } from '../engine/material.js'
import { allNotTaken } from '../engine/not-taken.js'
import type { GenerationTask } from '../engine/task.js'
import { readSource } from '../engine/read-source.js'
import { restrict } from '../engine/restrict.js'
import { compileTemplate } from '../engine/template.js'
import { givenOf, holdsRequirements, importSpec } from '../import/import-spec.js'
import { listUncovered } from '../merge/list-uncovered.js'
import { mergeDocuments, type Merged, type MergeTask } from '../merge/merge-documents.js'
import { assemble, type Answers } from '../model/assemble.js'
import { fillIn } from '../model/fill-in.js'
import { gradeFacts } from '../model/facts.js'

/** A part of the list, in the order of the inputs. */
export interface NotTakenPart {
  class?: NotTaken['class'] | undefined
  /** Also sentences without a normative verb. */
  isAll: boolean
  from: number
  limit: number
}

/** What takes time in proportion to the inputs of a spec: pure functions of JSON, for a process of their own. */
export const operations = {
  compile: (task: GenerationTask): SpecDocument => restrict(task, compileTemplate(task)),
  /** @returns null when the files hold no requirement */
  importFiles: (task: GenerationTask): SpecDocument | null => {
    const given = givenOf(task.inputs)
    return holdsRequirements(given) ? importSpec(task, given) : null
  },
  assemble: (task: GenerationTask, answers: Answers): SpecDocument => restrict(task, assemble(task, answers)),
  gradeFacts,
  fillIn,
  merge: (task: MergeTask, inputs: readonly Source[]): Merged => {
    const { document, suggestions } = mergeDocuments(task)
    return { document: listUncovered(document, inputs), suggestions }
  },
  check: checkDocument,
  compare: compareDocuments,
  notTaken: (inputs: readonly Source[], locale: string, part: NotTakenPart): NotTaken[] =>
    allNotTaken(materialOf(inputs).flatMap((source) => readSource(source, locale)), part.isAll)
      .filter((one) => part.class === undefined || one.class === part.class)
      .slice(part.from, part.from + part.limit)
}

export type Operations = typeof operations
