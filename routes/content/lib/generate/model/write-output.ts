import type { GenerationMode } from '../../../../../schemas/content/generation-words.js'
import { compose } from './compose.js'
import { tasks } from './prompts.js'
import { repairRecord, rewrite, translate } from './revise.js'
import type { Work, Written } from './work.js'

/** Writes one output as its mode says. @throws GenerationFailed, ModelError, BudgetExceeded */
export const writeOutput = (work: Work, mode: GenerationMode): Promise<Written> => {
  switch (mode) {
    case 'translate': return translate(work, (units) => tasks.translate(work.asked, work.output.locale, units))
    case 'rewrite': case 'sections': return rewrite(work, (units) => tasks.rewrite(work.asked, units))
    case 'repair': return repairRecord(work)
    default: return compose(work)
  }
}
