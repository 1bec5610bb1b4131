import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { problemOf } from '../../../api/problem'
import { AreaField, Choice } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { formatField, textsOf } from '../fields'
import type { Picked } from './selection'
import { say } from '../../../texts/say'

type Content = Schemas['Content']

interface Props { content: Content, picked: Picked | undefined, onClose: () => void, onChange: () => void }

const around = 24

/** @returns a choice of the places where the words stand, each with what is around it */
const placesOf = (text: string, exact: string, starts: number[]): Record<string, string> =>
  Object.fromEntries(starts.map((start, index) => {
    const context = text.slice(Math.max(0, start - around), start + exact.length + around)
    return [String(start), say('comment.place', { number: index + 1, count: starts.length, context })]
  }))

/** @returns where the words stand, if the server says that it cannot know which are meant */
const startsOf = (error: unknown): number[] | undefined => {
  const { code, body: details } = problemOf(error)
  // The server names the places of ambiguous words in this member.
  return code === 'passage_ambiguous' ? (details as { starts?: number[] }).starts : undefined
}

/** Comments on the words that are selected, or on words that are typed or pasted. */
export const CommentDialog = ({ content, picked, onClose, onChange }: Props) => {
  const texts = new Map(textsOf(content))
  const field = useSignal(picked?.field ?? (texts.has('body_markdown') ? 'body_markdown' : [...texts.keys()][0] ?? ''))
  const exact = useSignal(picked?.exact ?? '')
  const text = useSignal('')
  const starts = useSignal<number[]>([])
  const start = useSignal(picked?.start === undefined ? '' : String(picked.start))
  const act = async () => {
    const place = start.value === '' ? {} : { start: Number(start.value) }
    const passage = { field: field.value, exact: exact.value, version: content.version, ...place }
    try {
      await body(api.POST('/content/{content_id}/comments', {
        params: { path: { content_id: content.id } }, body: { text: text.value, passage }
      }))
    } catch (error) {
      starts.value = startsOf(error) ?? []
      start.value = String(starts.value[0] ?? '')
      throw error
    }
    onChange()
  }
  return (
    <FormDialog title={say('comment.title')} verb={say('comment.add')} act={act} onClose={onClose}>
      {picked
        ? <blockquote class='quote'>{picked.exact}</blockquote>
        : <>
          <Choice
            label={say('comment.where')} value={field}
            options={Object.fromEntries([...texts.keys()].map((name) => [name, formatField(name)]))}
          />
          <AreaField label={say('comment.words')} value={exact} required rows={2} maxLength={2_000} />
        </>}
      {starts.value.length > 1 && <Choice
        label={say('comment.which')} value={start}
        options={placesOf(texts.get(field.value) ?? '', exact.value, starts.value)}
      />}
      <AreaField label={say('comment.comment')} value={text} required rows={4} maxLength={5_000} />
    </FormDialog>
  )
}
