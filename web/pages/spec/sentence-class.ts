import type { Schemas } from '../../api/client'
import type { Key } from '../../texts/say'

/** What a sentence is that makes no requirement. */
export const sentenceClasses: Readonly<Record<Schemas['NotTaken']['class'], Key>> = {
  example: 'spec.class.example',
  rationale: 'spec.class.rationale',
  alternative: 'spec.class.alternative',
  history: 'spec.class.history',
  question: 'spec.class.question',
  answer: 'spec.class.answer',
  definition: 'spec.class.definition',
  quotation: 'spec.class.quotation',
  task: 'spec.class.task',
  boilerplate: 'spec.class.boilerplate',
  unclear: 'spec.class.unclear',
  undecided: 'spec.class.undecided',
  other: 'spec.class.other'
}
