import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Badge } from '../../parts/badge'
import { Form, TextField } from '../../parts/form'
import { ProblemNotice } from '../../parts/notice'
import { sendInputs } from './send-inputs'
import type { Spec, Version } from './index'

type Question = Schemas['Question']

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
  if (sent.value) return <p class='small'>Answered: {text.value}. The next version takes it in.</p>
  return (
    <Form class='row end' onSubmit={() => run()}>
      {question.options.map((option) => <button
        key={option} type='button' class='small' onClick={() => { text.value = option }}
      >{option}
      </button>)}
      <div class='grow'><TextField label={`Answer to ${question.id}`} value={text} required maxLength={4000} /></div>
      <button class='primary' disabled={busy}>Answer<span class='unseen'> {question.id}</span></button>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  )
}

/** The questions that only a person can answer. */
export const Questions = (spec: Spec & { version: Version }) => {
  const open = spec.version.document.open_questions.filter(({ status }) => status === 'open')
  if (open.length === 0) return null
  return (
    <section class='card stack' aria-label='Open questions'>
      <h2>Open questions</h2>
      {open.map((question) => <div key={question.id} class='stack tight'>
        <p><code>{question.id}</code> {question.question} {question.blocking && <Badge tone='bad'>blocking</Badge>}</p>
        <p class='small muted'>{question.why_it_matters}</p>
        <Answer {...spec} question={question} />
      </div>)}
    </section>
  )
}
