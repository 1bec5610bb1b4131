import { useEffect, useRef } from 'preact/hooks'
import { signal, useSignal } from '@preact/signals'
import { useHasProjects } from '../../api/projects'
import type { Cell } from '../../parts/cell'
import { ArrowUp, Square, X } from '../../parts/icons'
import type { ProjectChoice } from '../../parts/project-choice'
import { AttachButton, Attached, useAttachments } from './attachments'
import type { Conversation } from './conversation'
import { keepDraft, keepProject, readDraft, readProject, takeSend } from './drafts'
import { say } from '../../texts/say'

const maxHeight = 240

const fit = (element: HTMLTextAreaElement | null) => {
  if (!element) return
  element.style.height = 'auto'
  element.style.height = `${Math.min(maxHeight, element.scrollHeight + 2)}px`
}

const useDraft = (conversation: Conversation) => {
  const text = useSignal(readDraft(conversation.id))
  const set = (next: string) => {
    text.value = next
    keepDraft(conversation.id, next)
  }
  return { text: text.value, set }
}

const StopButton = ({ conversation }: { conversation: Conversation }) =>
  <button
    type='button' class='icon send' aria-label={say('chat.stop')} title={say('chat.stop')}
    disabled={conversation.stopping.value}
    onClick={() => { void conversation.stop() }}
  >
    <Square size={15} fill='currentColor' aria-hidden='true' />
  </button>

const SendButton = ({ busy, disabled }: { busy: boolean, disabled: boolean }) => {
  const label = busy ? say('chat.sendLater') : say('chat.send')
  return (
    <button class='primary icon send' aria-label={label} title={label} disabled={disabled}>
      <ArrowUp size={17} aria-hidden='true' />
    </button>
  )
}

/** Messages that are sent when the live run has ended. */
const Queued = ({ conversation }: { conversation: Conversation }) => {
  const queued = conversation.detail.value?.queued ?? []
  if (queued.length === 0) return null
  return (
    <ul class='plain queued' aria-label={say('chat.queued')}>
      {queued.map(({ id, message }) => <li key={id} class='small'>
        <span class='cut'>{message}</span>
        <button
          type='button' class='icon' aria-label={say('chat.takeBack', { message: message.slice(0, 60) })}
          title={say('chat.takeBack.title')}
          onClick={() => { void conversation.takeBack(id) }}
        >
          <X size={14} aria-hidden='true' />
        </button>
      </li>)}
    </ul>
  )
}

const useProject = (): Cell<string> => {
  const id = useSignal(readProject())
  return {
    get value () { return id.value },
    set value (next) {
      id.value = next
      keepProject(next)
    }
  }
}

/** The field's script is not part of the first page, which has no project to choose. */
const projectChoice = signal<typeof ProjectChoice | undefined>(undefined)
const loadChoice = () => {
  if (projectChoice.peek()) return
  void import('../../parts/project-choice').then((loaded) => { projectChoice.value = loaded.ProjectChoice }, () => {})
}

/** Of which project the instructions come with a message. */
const MessageProject = ({ project }: { project: Cell<string> }) => {
  const isAny = useHasProjects()
  useEffect(() => { if (isAny) loadChoice() }, [isAny])
  const { value: Choice } = projectChoice
  return isAny && Choice
    ? <Choice label={say('chat.project')} value={project} none={say('chat.project.none')} unseen />
    : null
}

const hintOf = (waiting: boolean, busy: boolean): string => {
  if (busy) return say('chat.hint.later')
  return say(waiting ? 'chat.hint.meanwhile' : 'chat.hint')
}

const contextOf = (project: string) =>
  ({ current_page: location.hash.slice(1) || '/', ...(project !== '' && { selected_project_id: project }) })

/** Sends what was prepared, but not before the conversation was read: it goes below that. */
const useSendPrepared = (conversation: Conversation, send: () => Promise<void>) => {
  const isRead = conversation.detail.value !== undefined
  useEffect(() => { if (isRead && takeSend(conversation.id)) void send() }, [isRead])
}

/** Enter sends, Shift+Enter starts a line. While approvals wait, a new message leaves them waiting. */
export const Composer = ({ conversation }: { conversation: Conversation }) => {
  const { text, set } = useDraft(conversation)
  const project = useProject()
  const attachments = useAttachments(conversation.id)
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => fit(element.current), [text])
  useEffect(() => { if (matchMedia('(hover: hover)').matches) element.current?.focus() }, [conversation])
  const waiting = conversation.waiting.value.length > 0
  const busy = conversation.live.value && !conversation.heldUp.value
  const send = async () => {
    if (text.trim() === '' || attachments.adding.peek() > 0) return
    const message = text
    set('')
    const context = contextOf(project.value)
    const { files } = attachments
    const given = files.peek()
    files.value = []
    if (await (busy ? conversation.queue(message, context, given) : conversation.send(message, context, given))) return
    set(message)
    files.value = given
  }
  useSendPrepared(conversation, send)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form class='composer' onSubmit={(event) => { event.preventDefault(); void send() }}>
      <Queued conversation={conversation} />
      <Attached attachments={attachments} />
      <div class='composer-box'>
        <textarea
          ref={element} rows={1} dir='auto' aria-label={say('chat.message')} value={text} onKeyDown={onKeyDown}
          placeholder={hintOf(waiting, busy)}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <AttachButton attachments={attachments} />
        {conversation.live.value && <StopButton conversation={conversation} />}
        <SendButton busy={busy} disabled={text.trim() === ''} />
      </div>
      <div class='composer-foot small muted'>
        <p>{say('chat.rule')}</p>
        <MessageProject project={project} />
      </div>
    </form>
  )
}
