import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Trash2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { field } from '../../parts/cell'
import { Form, TextField } from '../../parts/form'
import { useKept } from '../../parts/kept'
import { ProblemNotice } from '../../parts/notice'
import { formKey } from './drafts'
import { EditButton } from './part-head'
import { sendEdit, sendInputs } from './send-inputs'
import type { Version, Written } from './index'
import { say } from '../../texts/say'

type Question = Schemas['Question']
type Requirement = Schemas['Requirement']

interface OneProps extends Written { question: Question }

/** The answer: one of the options, or a free text. It is kept until it is sent. */
const Answer = ({ session, question, onChange }: OneProps) => {
  const { of, forget } = useKept(formKey(session.session_id, question.id), question.recommended ?? '')
  const text = field(of, 'edited')
  const sent = useSignal(false)
  const { run, busy, problem } = useAction(async () => {
    await sendInputs(session.session_id, { kind: 'answer', question_id: question.id, text: text.value })
    forget()
    sent.value = true
    onChange()
  })
  if (sent.value) return <p class='small' role='status'>{say('spec.answered', { answer: text.value })}</p>
  return (
    <Form class='row end' onSubmit={() => run()} unguarded>
      {question.options.map((option) => <button
        key={option} type='button' class='small' onClick={() => { text.value = option }}
      >{option}
      </button>)}
      <div class='grow'>
        <TextField label={say('spec.answerTo', { question: question.id })} value={text} required maxLength={4000} />
      </div>
      <button class='primary' disabled={busy}>{say('spec.answer')}<span class='unseen'> {question.id}</span></button>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  )
}

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
  const element = useRef<HTMLDivElement>(null)
  const dismiss = async () => {
    await move(props, 'dismissed')()
    // The question goes, and the focus stays in what it stood in.
    element.current?.closest('section, article')?.querySelector('button')?.focus()
  }
  return (
    <div ref={element} class='stack tight'>
      <p><code>{id}</code> {question} {blocking && <Badge tone='bad'>{say('spec.blocking')}</Badge>}
        {!isLocked(props.version) && <>
          <EditButton label={say('spec.edit', { name: id })} onEdit={() => { props.edit(id) }} />
          <ActionButton
            variant='quiet icon small' label={say('spec.question.dismiss', { id })} act={dismiss}
          ><Trash2 size={15} aria-hidden='true' />
          </ActionButton>
        </>}
      </p>
      <p class='small muted'>{why}</p>
      <Answer {...props} />
    </div>
  )
}
