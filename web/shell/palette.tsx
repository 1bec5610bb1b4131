import { useEffect, useId, useRef } from 'preact/hooks'
import { useComputed, useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { Dialog } from '../parts/dialog'
import { findChats, fixedCommands, matching, type Command } from './commands'
import { say } from '../texts/say'
import './palette.css'

/** Chats are looked for when nobody has typed for so long. */
const pauseMs = 200

/** @returns chats that have the words, read again when these change */
const useChats = (text: string) => {
  const chats = useSignal<Command[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      findChats(text.trim(), stop.signal).then((found) => { chats.value = found }, () => { chats.value = [] })
    }, text === '' ? 0 : pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return chats
}

const moved = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, Home: 0, End: count - 1 }[key])

/** Goes to a page or a chat by a few letters of its name: the combobox of the ARIA Authoring Practices. */
export default function Palette ({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const text = useSignal('')
  const at = useSignal(0)
  const listId = useId()
  const list = useRef<HTMLUListElement>(null)
  const chats = useChats(text.value)
  const found = useComputed(() => [...matching(fixedCommands(), text.value), ...chats.value])
  const run = ({ to }: Command) => {
    onClose()
    if (typeof to === 'string') navigate(to)
    else to()
  }
  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) })
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found.value[at.value]
    const next = moved(event.key, at.value, found.value.length)
    if (event.key === 'Enter' && chosen) run(chosen)
    else if (next !== undefined && found.value.length > 0) at.value = next
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={say('palette.title')} onClose={onClose}>
      <input
        type='text' role='combobox' aria-label={say('palette.field')} aria-expanded='true' aria-controls={listId}
        aria-autocomplete='list' aria-activedescendant={found.value[at.value] ? `${listId}-${at.value}` : undefined}
        autoComplete='off' placeholder={say('palette.field')} value={text.value} onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          at.value = 0
        }}
      />
      <ul class='palette' id={listId} ref={list} role='listbox' aria-label={say('palette.found')}>
        {found.value.map((command, index) => <li
          key={command.key} id={`${listId}-${index}`} role='option' aria-selected={index === at.value}
          onClick={() => run(command)} onMouseMove={() => { at.value = index }}
        >
          <span class='clip'>{command.label}</span><span class='small muted'>{command.kind}</span>
        </li>)}
      </ul>
      {found.value.length === 0 && <p class='muted' role='status'>{say('palette.nothing')}</p>}
    </Dialog>
  )
}
