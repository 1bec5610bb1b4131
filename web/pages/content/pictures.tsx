import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { toBase64 } from '../../parts/base64'
import { field, optional, type Cell } from '../../parts/cell'
import { AreaField } from '../../parts/form'
import { X } from '../../parts/icons'
import { ProblemNotice } from '../../parts/notice'
import { Picture } from '../../parts/picture'
import { Loaded } from '../../parts/states'
import { say } from '../../texts/say'

type Content = Schemas['Content']
type Media = Content['media'][number]
type Image = Schemas['ContentImage']

/** Text without what Markdown would read as the end of it. */
const escapeAlt = (alt: string): string => alt.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ')

const One = ({ media, onInsert, onRemove }: { media: Cell<Media>, onInsert?: () => void, onRemove: () => void }) => (
  <li class='entry-fields'>
    <Picture url={media.value.url} alt='' small />
    <div class='stack tight grow'>
      <AreaField
        label={say('content.picture.alt')} value={field(media, 'alt')} required rows={2} maxLength={500}
      />
      {onInsert && <div>
        <button type='button' class='small' onClick={onInsert}>{say('content.picture.insert')}</button>
      </div>}
    </div>
    <button
      type='button' class='quiet icon' onClick={onRemove}
      aria-label={say('content.picture.remove', { name: media.value.alt || say('content.picture.unnamed') })}
    >
      <X size={16} aria-hidden='true' />
    </button>
  </li>
)

const Library = ({ project, onChoose }: { project: string, onChoose: (image: Image) => void }) => {
  const images = useResource([project], (signal) =>
    body(api.GET('/content/images', { params: { query: { project_id: project, limit: 100 } }, signal })))
  return (
    <Loaded of={images}>
      {({ items }) => items.length === 0
        ? <p class='small'>{say('content.pictures.none')}</p>
        : <div class='pictures'>{items.map((image, index) => <button
            key={image.id} type='button' onClick={() => onChoose(image)}
            aria-label={say('content.picture.take', {
              number: index + 1, width: String(image.width), height: String(image.height)
            })}
        ><Picture url={image.url} alt='' small />
        </button>)}
        </div>}
    </Loaded>
  )
}

const entryOf = (media: Cell<Media[]>, index: number, shown: Media): Cell<Media> => ({
  get value () { return media.value[index] ?? shown },
  set value (next) { media.value = media.value.with(index, next) }
})

/** The images of a record: uploaded here, or taken from the project's, each with its text. */
export const Pictures = ({ content }: { content: Cell<Content> }) => {
  const media = optional(content, 'media', [])
  const text = optional(content, 'body_markdown', '')
  const isOpen = useSignal(false)
  const take = ({ url, width, height }: Image) => { media.value = [...media.value, { url, alt: '', width, height }] }
  const { run, busy, problem } = useAction(async (file: File) => {
    const { project_id } = content.value
    take(await body(api.POST('/content/images', { body: { project_id, data: await toBase64(file) } })))
  })
  const insert = ({ url, alt }: Media) => () => {
    text.value = `${text.value.trimEnd()}\n\n![${escapeAlt(alt)}](${url})\n`.trimStart()
  }
  return (
    <fieldset class='stack tight'>
      <legend>{say('content.pictures')}</legend>
      <ul class='plain stack tight'>{media.value.map((shown, index) => <One
        key={`${index}${shown.url}`} media={entryOf(media, index, shown)}
        {...(content.value.channel !== 'social' && { onInsert: insert(shown) })}
        onRemove={() => { media.value = media.value.filter((_, at) => at !== index) }}
      />)}
      </ul>
      <div class='row end'>
        <label class='field'><span>{say('content.picture.upload')}</span>
          <input
            type='file' accept='image/png,image/jpeg,image/gif,image/webp' disabled={busy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) void run(file)
              currentTarget.value = ''
            }}
          />
        </label>
        <button type='button' aria-expanded={isOpen.value} onClick={() => { isOpen.value = !isOpen.value }}>
          {say('content.picture.choose')}
        </button>
      </div>
      <span role='status' class='small muted'>{busy ? say('content.picture.uploading') : ''}</span>
      {problem && <ProblemNotice problem={problem} />}
      {isOpen.value && <Library project={content.value.project_id} onChoose={take} />}
    </fieldset>
  )
}
