import { useEffect, useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { Dialog } from '../parts/dialog'
import { fixedCommands, matching, type Command } from './commands'
import { findThings, inServices } from './find'
import { say } from '../texts/say'
import './palette.css'

/** Things are looked for when no key was pressed for so long. */
const pauseMs = 200

/** @returns things that have the words, read again when these change; until then those found before that fit */
const useThings = (words: string) => {
  const things = useSignal<{ of?: string, found: Command[] }>({ found: [] })
  useEffect(() => {
    const stop = new AbortController()
    const show = (found: Command[]) => { if (!stop.signal.aborted) things.value = { of: words, found } }
    const timer = setTimeout(() => {
      findThings(words, stop.signal).then(show, () => show([]))
    }, words === '' ? 0 : pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [words])
  const { of, found } = things.value
  return of === words ? { found, isDone: true } : { found: matching(found, words), isDone: false }
}

const moved = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, Home: 0, End: count - 1 }[key])

/** Goes to a page or a thing by a few letters of its name: the combobox of the ARIA Authoring Practices. */
export default function Palette ({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const text = useSignal('')
  const at = useSignal(0)
  const listId = useId()
  const list = useRef<HTMLUListElement>(null)
  const words = text.value.trim()
  const things = useThings(words)
  const named = [...matching(fixedCommands(), words), ...things.found]
  const found = [...named, ...inServices(words)]
  const run = ({ to }: Command) => {
    onClose()
    if (typeof to === 'string') navigate(to)
    else to()
  }
  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) })
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[at.value]
    const next = moved(event.key, at.value, found.length)
    if (event.key === 'Enter' && chosen) run(chosen)
    else if (next !== undefined && found.length > 0) at.value = next
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={say('palette.title')} onClose={onClose}>
      <input
        type='text' role='combobox' aria-label={say('palette.field')} aria-expanded='true' aria-controls={listId}
        aria-autocomplete='list' aria-activedescendant={found[at.value] ? `${listId}-${at.value}` : undefined}
        autoComplete='off' placeholder={say('palette.field')} value={text.value} onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          at.value = 0
        }}
      />
      <ul class='palette' id={listId} ref={list} role='listbox' aria-label={say('palette.found')}>
        {found.map((command, index) => <li
          key={command.key} id={`${listId}-${index}`} role='option' aria-selected={index === at.value}
          onClick={() => run(command)} onMouseMove={() => { at.value = index }}
        >
          <span class='clip'>{command.label}</span><span class='small muted'>{command.kind}</span>
        </li>)}
      </ul>
      {things.isDone && named.length === 0 && <p class='muted' role='status'>{say('palette.nothing')}</p>}
    </Dialog>
  )
}
