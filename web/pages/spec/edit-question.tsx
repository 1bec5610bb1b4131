import type { Schemas } from '../../api/client'
import { asLines, field, tidy, type Cell } from '../../parts/cell'
import { AreaField, CheckField, Choice } from '../../parts/form'
import { EditPart, type Part } from './edit-part'
import type { EditorProps } from './section-part'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type SpecDocument = Schemas['SpecDocument']
type Question = Schemas['Question']
type Edited = Pick<Question, 'question' | 'why_it_matters' | 'options' | 'blocking' | 'about'>

const target = 'sections.open_questions'
const blank: Edited = { question: '', why_it_matters: '', options: [], blocking: false, about: null }
const unanswered = { recommended: null, status: 'open', answer_input_id: null } as const

const editable = ({ question, why_it_matters, options, blocking, about }: Question): Edited =>
  ({ question, why_it_matters, options, blocking, about })

/** @returns the questions with this one, which others may have removed meanwhile */
const withQuestion = (questions: readonly Question[], id: string, edited: Edited): Question[] =>
  questions.some((one) => one.id === id)
    ? questions.map((one) => one.id === id ? { ...one, ...edited } : one)
    : [...questions, { id, ...unanswered, ...edited }]

const partOf = (id: string | undefined): Part<Edited> => ({
  target: id ?? target,
  title: id === undefined ? say('spec.question.add') : say('spec.edit', { name: id }),
  blank,
  read: ({ open_questions: questions }) => {
    const found = questions.find((one) => one.id === id)
    return found && editable(found)
  },
  op: (edited, { open_questions: questions }) => id === undefined
    ? { op: 'add', target, value: { ...unanswered, ...tidy(edited) } }
    : { op: 'replace', target, value: withQuestion(questions, id, tidy(edited)) },
  show: ({ question, why_it_matters: why, options }) => <>
    <p>{translate('specs', question)} <span class='muted'>{translate('specs', why)}</span></p>
    {options.length > 0 && <ul>{options.map((option) => <li key={option}>{option}</li>)}</ul>}
  </>
})

const aboutOf = (of: Cell<Edited>): Cell<string> => ({
  get value () { return of.value.about ?? '' },
  set value (next) { of.value = { ...of.value, about: next === '' ? null : next } }
})

/** @returns what a question can be about; one of a generation may quote a sentence */
const topics = ({ requirements }: SpecDocument, { about }: Edited): Record<string, string> => ({
  '': say('value.none'),
  ...about !== null && { [about]: about },
  ...Object.fromEntries(requirements.filter(({ status }) => status === 'active')
    .map(({ id, title }) => [id, `${id} ${title}`]))
})

const Fields = ({ of, document }: { of: Cell<Edited>, document: SpecDocument }) => <>
  <AreaField label={say('spec.question')} value={field(of, 'question')} required rows={3} maxLength={500} />
  <AreaField label={say('spec.question.why')} value={field(of, 'why_it_matters')} rows={2} maxLength={500} />
  <AreaField label={say('spec.question.options')} value={asLines(field(of, 'options'))} rows={3} maxLength={1500} />
  <Choice label={say('spec.question.about')} value={aboutOf(of)} options={topics(document, of.value)} />
  <CheckField label={say('spec.question.blocking')} value={field(of, 'blocking')} />
</>

/** Edits a question, or adds one where the id is undefined. */
export const EditQuestion = ({ id, ...props }: EditorProps & { id: string | undefined }) => <EditPart
  {...props} part={partOf(id)}
>{(edited) => <Fields of={edited} document={props.version.document} />}
</EditPart>
