import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useAction } from '../../api/action'
import { field } from '../../parts/cell'
import { Form, TextField } from '../../parts/form'
import { isAnyKept, useKept } from '../../parts/kept'
import { ProblemNotice } from '../../parts/notice'
import { useAnswer } from './answers'
import { formKey } from './drafts'
import { KeptNotice } from './kept-notice'
import type { OneProps } from './question'
import { sendInputs } from './send-inputs'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

interface FormProps extends OneProps { first: string, onSent: (answer: string) => void }

/** One of the options, or a free text. It is kept until it is sent. */
const AnswerForm = ({ session, question, first, onSent }: FormProps) => {
  const keeping = useKept(formKey(session.session_id, question.id), first)
  const text = field(keeping.of, 'edited')
  const options = question.options.map((option) => translate('specs', option))
  const { run, busy, problem } = useAction(async () => {
    await sendInputs(session.session_id, { kind: 'answer', question_id: question.id, text: text.value })
    keeping.forget()
    onSent(text.value)
  })
  return (
    <Form class='stack tight' onSubmit={() => run()} unguarded>
      <KeptNotice of={{ ...keeping, wasKept: false }} />
      {options.length > 0 && <div class='row tight answer-options'>
        {options.map((option) => <button
          key={option} type='button' class='small' onClick={() => { text.value = option }}
        >{option}
        </button>)}
      </div>}
      <div class='row end'>
        <div class='grow'>
          <TextField label={say('spec.answerTo', { question: question.id })} value={text} required maxLength={4000} />
        </div>
        <button disabled={busy}>{say('spec.answer')}<span class='unseen'> {question.id}</span></button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  )
}

interface GivenProps { question: string, answer: string, isTaken: boolean, onEdit: (() => void) | undefined }

const Given = ({ question, answer, isTaken, onEdit }: GivenProps) => <div class='row tight'>
  <p class='small grow' role='status'>
    {say('spec.answered', { answer })}{!isTaken && <> <span class='muted'>{say('spec.answer.taken')}</span></>}
  </p>
  {onEdit && <button
    type='button' class='small' aria-label={say('spec.answer.change', { question })} onClick={onEdit}
  >{say('spec.edit.answer')}
  </button>}
</div>

/** The answer to a question: a form, or what was answered, which can be changed. */
export const Answer = (props: OneProps) => {
  const { session, question, onChange } = props
  const { answer: read, isRead } = useAnswer(question.id)
  const sent = useSignal<string | undefined>(undefined)
  const isEditing = useSignal(false)
  useEffect(() => { sent.value = undefined }, [read])
  const answer = sent.value ?? read
  const isOpen = isEditing.value || answer === undefined || isAnyKept(formKey(session.session_id, question.id))
  const onSent = (text: string) => {
    sent.value = text
    isEditing.value = false
    onChange()
  }
  if (!isRead) return null
  return (
<>
    {answer !== undefined && <Given
      question={question.id} answer={answer} isTaken={question.status === 'answered' && sent.value === undefined}
      onEdit={isOpen ? undefined : () => { isEditing.value = true }}
    />}
    {isOpen && <AnswerForm {...props} first={answer ?? question.recommended ?? ''} onSent={onSent} />}
</>
  )
}
