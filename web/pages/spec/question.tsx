import { useRef } from 'preact/hooks'
import { Trash2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Answer } from './answer'
import { useAnswer } from './answers'
import { EditButton } from './part-head'
import { sendEdit } from './send-inputs'
import type { Version, Written } from './index'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Question = Schemas['Question']
type Requirement = Schemas['Requirement']

export interface OneProps extends Written { question: Question }

export const openQuestions = ({ document }: Version): Question[] =>
  document.open_questions.filter(({ status }) => status === 'open')

/** A question names its requirement, or quotes a sentence that the requirement stands on. */
const isAbout = ({ about, question }: Question, { id, citations }: Requirement): boolean => {
  const named = new RegExp(`\\b${id}\\b`)
  return named.test(about ?? '') || named.test(question) ||
    citations.some(({ quote }) => quote !== '' && (about === quote || question.includes(quote)))
}

/** @returns the one requirement that a question concerns; undefined where it concerns none, or several */
export const concernOf = (question: Question, { document }: Version): string | undefined => {
  const found = document.requirements.filter((requirement) => isAbout(question, requirement))
  return found.length === 1 ? found[0]?.id : undefined
}

/** @returns what gives a question another state; a dismissed one is not asked again by a generation */
export const move = ({ session, version, question: { id }, onChange }: OneProps, status: Question['status']) => () =>
  sendEdit(session.session_id, version, {
    of: ({ open_questions: questions }) => questions.find((one) => one.id === id),
    op: ({ open_questions: questions }) => ({
      op: 'replace',
      target: 'sections.open_questions',
      value: questions.map((one) => one.id === id ? { ...one, status } : one)
    })
  }).finally(onChange)

export const isLocked = ({ document }: Version): boolean => document.locked_sections.includes('open_questions')

export const OneQuestion = (props: OneProps) => {
  const { id, question, blocking, why_it_matters: why } = props.question
  const { answer } = useAnswer(id)
  const element = useRef<HTMLDivElement>(null)
  const dismiss = async () => {
    await move(props, 'dismissed')()
    // The question goes, and the focus stays in what it stood in.
    element.current?.closest('section, article')?.querySelector('button')?.focus()
  }
  return (
    <div ref={element} class='stack tight'>
      <p><code>{id}</code> {translate('specs', question)}{' '}
        {blocking && answer === undefined && <Badge tone='bad'>{say('spec.blocking')}</Badge>}
        {!isLocked(props.version) && <>
          <EditButton label={say('spec.edit', { name: id })} onEdit={() => { props.edit(id) }} />
          <ActionButton
            variant='quiet icon small' label={say('spec.question.dismiss', { id })} act={dismiss}
          ><Trash2 size={15} aria-hidden='true' />
          </ActionButton>
        </>}
      </p>
      <p class='small muted'>{translate('specs', why)}</p>
      <Answer {...props} />
    </div>
  )
}
