import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Badge } from '../../parts/badge'
import { Form, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { sendInputs } from './send-inputs'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

type Question = Schemas['Question']
type Requirement = Schemas['Requirement']

interface ItemProps extends Spec { question: Question }

/** The answer: one of the options, or a free text. */
const Answer = ({ session, question, onChange }: ItemProps) => {
  const text = useSignal(question.recommended ?? '')
  const sent = useSignal(false)
  const { run, busy, problem } = useAction(async () => {
    await sendInputs(session.session_id, { kind: 'answer', question_id: question.id, text: text.value })
    sent.value = true
    onChange()
  })
  if (sent.value) return <p class='small'>{say('spec.answered', { answer: text.value })}</p>
  return (
    <Form class='row end' onSubmit={() => run()}>
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

interface OneProps extends Spec { question: Question }

export const OneQuestion = (props: OneProps) => {
  const { id, question, blocking, why_it_matters: why } = props.question
  return (
    <div class='stack tight'>
      <p><code>{id}</code> {question} {blocking && <Badge tone='bad'>{say('spec.blocking')}</Badge>}</p>
      <p class='small muted'>{why}</p>
      <Answer {...props} />
    </div>
  )
}

/** Questions that only a person can answer, and that concern no single requirement. */
export const Questions = ({ of, ...spec }: Spec & { of: readonly Question[] }) => of.length === 0
  ? null
  : <section class='card stack' aria-label={say('spec.questions')}>
    <h2>{say('spec.questions')}</h2>
    {of.map((question) => <OneQuestion key={question.id} {...spec} question={question} />)}
  </section>
