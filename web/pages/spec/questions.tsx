import { Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Answer } from './answer'
import { EditQuestion } from './edit-question'
import { PartHead } from './part-head'
import { concernOf, isLocked, move, OneQuestion, openQuestions } from './question'
import { isShown, targetOf, type SectionPart } from './section-part'
import type { Written } from './index'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Question = Schemas['Question']

const standings = {
  open: 'spec.question.open', answered: 'spec.question.answered', dismissed: 'spec.question.dismissed'
} as const

/** Questions that were answered or dismissed. One that nothing has answered can be asked again. */
const Settled = ({ of, ...written }: Written & { of: readonly Question[] }) => of.length === 0
  ? null
  : <details><summary>{say('spec.questions.settled', { count: of.length })}</summary>
    <ul>{of.map((question) => <li key={question.id}>
      <code>{question.id}</code> {translate('specs', question.question)}{' '}
      <Badge>{say(standings[question.status])}</Badge>{' '}
      {question.answer_input_id === null && !isLocked(written.version) && <ActionButton
        variant='small' label={say('spec.question.again', { id: question.id })}
        act={move({ ...written, question }, 'open')}
      >{say('spec.reopen')}
      </ActionButton>}
      {question.status === 'answered' && <Answer {...written} question={question} />}
    </li>)}
    </ul>
  </details>

export const questionPart = (): SectionPart => ({
  name: 'open_questions',
  label: say('spec.questions'),
  isEmpty: ({ open_questions: questions }) => questions.length === 0,
  edit: (props) => <EditQuestion {...props} id={undefined} />
})

/** The questions that concern no single requirement, and those that are settled; a person can write each. */
export const Questions = (written: Written) => {
  const { version, edit } = written
  const part = questionPart()
  if (!isShown(version.document, part)) return null
  // What concerns one requirement stands at it.
  const open = openQuestions(version).filter((question) => concernOf(question, version) === undefined)
  const settled = version.document.open_questions.filter(({ status }) => status !== 'open')
  return (
    <section class='card stack' aria-label={part.label}>
      <div class='row spread'><PartHead {...written} name={part.name} label={part.label} level='h2' />
        {!isLocked(version) && <button type='button' class='small' onClick={() => { edit(targetOf(part)) }}>
          <Plus size={14} aria-hidden='true' />{say('spec.question.add')}
        </button>}
      </div>
      {open.length === 0 && openQuestions(version).length > 0 &&
        <p class='small muted'>{say('spec.questions.beside')}</p>}
      {open.map((question) => <OneQuestion key={question.id} {...written} question={question} />)}
      <Settled {...written} of={settled} />
    </section>
  )
}
