import { useSignal, type Signal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { Problem } from '../../api/problem'
import { field, type Cell } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { useKept } from '../../parts/kept'
import { RepositoryChoice } from '../../parts/repository-choice'
import { formKey } from './drafts'
import { KeptNotice } from './kept-notice'
import { sendInputs } from './send-inputs'
import type { Session } from './index'
import { say, sayEach } from '../../texts/say'

type Input = Schemas['NewInput']
const kinds = {
  text: 'spec.input.text',
  url: 'spec.input.url',
  file: 'spec.input.file',
  repo_file: 'spec.input.repoFile',
  repo_issue: 'spec.input.issue'
} as const
type Kind = keyof typeof kinds

/** The fields of all kinds of inputs; each kind reads its own. */
interface Given {
  kind: Kind
  label: string
  text: string
  url: string
  repo: string
  path: string
  number: number
}
const nothing: Given = { kind: 'text', label: '', text: '', url: '', repo: '', path: '', number: 1 }

const toBase64 = async (file: File): Promise<string> => {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    // A data URL is a string.
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(new Problem('unreadable_file', 0, say('spec.input.unreadable')))
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}

const inputOf = async ({ kind, label, text, url, repo, path, number }: Given, file?: File): Promise<Input> => {
  const named = label.trim() === '' ? {} : { label }
  switch (kind) {
    case 'text': return { kind, ...named, text }
    case 'url': return { kind, ...named, url }
    case 'repo_file': return { kind, ...named, repo_id: repo, path }
    case 'repo_issue': return { kind, ...named, repo_id: repo, number }
    case 'file':
      if (!file) throw new Problem('no_file', 0, say('spec.input.choose'))
      return { kind, ...named, filename: file.name, data: await toBase64(file) }
  }
}

interface FieldsProps { given: Cell<Given>, file: Signal<File | undefined> }

const Fields = ({ given, file }: FieldsProps) => {
  const of = (key: 'text' | 'url' | 'repo' | 'path') => field(given, key)
  switch (given.value.kind) {
    case 'text': return (
<AreaField
  label={say('spec.input.textField')} value={of('text')} required rows={8} maxLength={200_000}
/>
    )
    case 'url': return (
<TextField
  label={say('spec.input.address')} type='url' value={of('url')} required maxLength={2000}
/>
    )
    case 'file': return (
      <label class='field'><span>{say('spec.input.formats')}</span>
        <input type='file' required onChange={({ currentTarget: { files } }) => { file.value = files?.[0] }} />
      </label>
    )
    case 'repo_file': return (
      <>
        <RepositoryChoice value={of('repo')} />
        <TextField label={say('spec.input.path')} value={of('path')} required maxLength={500} />
      </>
    )
    case 'repo_issue': return (
      <>
        <RepositoryChoice value={of('repo')} />
        <NumberField label={say('spec.input.number')} value={field(given, 'number')} min={1} />
      </>
    )
  }
}

interface Props { session: Session, onChange: () => void, onClose: () => void }

/** Adds an input to the spec. What was typed is kept until it is added or discarded; a chosen file is not. */
export const AddInput = ({ session, onChange, onClose }: Props) => {
  const file = useSignal<File | undefined>(undefined)
  const keeping = useKept(formKey(session.session_id, 'input'), nothing)
  const { of, forget } = keeping
  const given = field(of, 'edited')
  const act = async () => {
    await sendInputs(session.session_id, await inputOf(given.value, file.value))
    forget()
    onChange()
  }
  return (
    <FormDialog title={say('spec.input.add')} verb={say('spec.add')} act={act} onClose={onClose} onDiscard={forget}>
      <KeptNotice of={keeping} />
      <Choice label={say('spec.input.what')} value={field(given, 'kind')} options={sayEach(kinds)} />
      <Fields given={given} file={file} />
      <TextField label={say('spec.input.label')} value={field(given, 'label')} maxLength={200} />
    </FormDialog>
  )
}
