import { checkDocument } from '../checks/check-document.js'
import { compareDocuments } from '../diff/compare-documents.js'
import { compileTemplate, unitsOf } from '../engine/compile.js'
import type { Source } from '../engine/material.js'
import { allNotTaken, withRest } from '../engine/rest.js'
import { restrict } from '../engine/restrict.js'
import { findSentences } from '../engine/sentence-edits.js'
import type { GenerationTask } from '../engine/task.js'
import { givenOf } from '../import/given.js'
import { holdsRequirements, importSpec } from '../import/import-spec.js'
import { writeBack } from '../import/write-back.js'
import { mergeDocuments, type Merged, type MergeTask } from '../merge/merge-documents.js'
import { assemble, type Answers } from '../model/assemble.js'
import { numberSentences } from '../model/number.js'
import type { NotTaken, SpecDocument } from '../schemas/document.js'

/** A part of the list, in the order of the inputs. */
export interface NotTakenPart {
  class?: NotTaken['class'] | undefined
  /** Also what is no sentence, such as titles. */
  isAll: boolean
  from: number
  limit: number
}

/** What takes time in proportion to the inputs of a spec: pure functions of JSON, for a process of their own. */
export const operations = {
  compile: (task: GenerationTask): SpecDocument => restrict(task, compileTemplate(task)),
  /** @returns null when the files hold no requirement */
  importFiles: (task: GenerationTask): SpecDocument | null =>
    holdsRequirements(givenOf(task.inputs)) ? importSpec(task) : null,
  writeBack,
  assemble: (task: GenerationTask, answers: Answers): SpecDocument => restrict(task, assemble(task, answers)),
  number: numberSentences,
  findSentences,
  /** @returns the document with what it does not take anew, after a person has decided sentences */
  listRest: (document: SpecDocument, inputs: readonly Source[]): SpecDocument =>
    withRest(document, unitsOf(inputs, document.settings.locale, document)),
  /** What the merged document takes of the inputs differs from what the proposal took. */
  merge: (task: MergeTask, inputs: readonly Source[]): Merged => {
    const { document, suggestions } = mergeDocuments(task)
    return { document: withRest(document, unitsOf(inputs, document.settings.locale, document)), suggestions }
  },
  check: checkDocument,
  compare: compareDocuments,
  notTaken: (inputs: readonly Source[], document: SpecDocument, part: NotTakenPart): NotTaken[] =>
    allNotTaken(unitsOf(inputs, document.settings.locale, document), document, part.isAll)
      .filter((one) => part.class === undefined || one.class === part.class)
      .slice(part.from, part.from + part.limit)
}

export type Operations = typeof operations
