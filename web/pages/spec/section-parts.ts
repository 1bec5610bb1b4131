import type { Schemas } from '../../api/client'
import { listParts } from './lists'
import { questionPart } from './questions'
import type { SectionPart } from './section-part'
import { taskPart } from './tasks'
import { textParts } from './texts'

/** Every part besides requirements and stories, filled or not. */
export const sectionParts = (document: Schemas['SpecDocument']): SectionPart[] =>
  [...textParts(document), ...listParts(), taskPart(), questionPart()]
