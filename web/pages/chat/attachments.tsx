import { useMemo, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { problemOf, type Problem } from '../../api/problem'
import { toBase64 } from '../../parts/base64'
import { ProblemNotice } from '../../parts/notice'
import { Paperclip, X } from '../../parts/icons'
import { takeFiles } from './drafts'
import { say } from '../../texts/say'

export type Attachment = Schemas['Attachment']

export interface Attachments {
  files: Signal<readonly Attachment[]>
  /** Files that are on their way. */
  adding: Signal<number>
  problem: Signal<Problem | undefined>
  add: (files: Iterable<File>) => Promise<void>
}

const upload = async (file: File): Promise<Attachment> => {
  return body(api.POST('/api/v1/agent/attachments', { body: { name: file.name, data: await toBase64(file) } }))
}

/** The files of the message that is being written. */
export const useAttachments = (session: string | undefined): Attachments => {
  const files = useSignal(useMemo(() => takeFiles(session), []))
  const adding = useSignal(0)
  const problem = useSignal<Problem | undefined>(undefined)
  const addOne = async (file: File) => {
    adding.value++
    try {
      const added = await upload(file)
      files.value = [...files.peek(), added]
    } catch (error) {
      problem.value = problemOf(error)
    }
    adding.value--
  }
  const add = async (given: Iterable<File>) => {
    problem.value = undefined
    for (const file of given) await addOne(file)
  }
  return { files, adding, problem, add }
}

export const AttachButton = ({ attachments }: { attachments: Attachments }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type='button' class='icon send quiet' aria-label={say('chat.attach')} title={say('chat.attach.title')}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={16} aria-hidden='true' />
      </button>
      <input
        ref={input} type='file' multiple hidden aria-label={say('chat.attach.files')} onChange={({ currentTarget }) => {
          void attachments.add([...currentTarget.files ?? []])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** What goes with the message, and what could not be attached. */
export const Attached = ({ attachments: { files, adding, problem } }: { attachments: Attachments }) => {
  if (files.value.length + adding.value === 0 && !problem.value) return null
  return (
    <>
      <ul class='plain queued' aria-label={say('chat.attached')}>
        {files.value.map(({ id, name }) => <li key={id} class='small'>
          <span class='cut'>{name}</span>
          <button
            type='button' class='icon' aria-label={say('chat.attached.remove', { name })} title={say('chat.remove')}
            onClick={() => { files.value = files.peek().filter((file) => file.id !== id) }}
          >
            <X size={14} aria-hidden='true' />
          </button>
        </li>)}
        {adding.value > 0 && <li class='small'>{say('chat.reading')}</li>}
      </ul>
      {problem.value && <ProblemNotice problem={problem.value} />}
    </>
  )
}
