import { useEffect } from 'preact/hooks'
import { signal } from '@preact/signals'
import { isTyping } from '../parts/typing'
import { lazy } from './lazy'

interface Props { onClose: () => void }

const dialogs = { palette: lazy<Props>(() => import('./palette')), keys: lazy<Props>(() => import('./key-help')) }

/** Which of the two is open. */
export const opened = signal<keyof typeof dialogs | undefined>(undefined)

const asked = (event: KeyboardEvent): keyof typeof dialogs | undefined => {
  const { key, ctrlKey, metaKey, altKey } = event
  if ((ctrlKey !== metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette'
  return key === '?' && !ctrlKey && !metaKey && !isTyping(event) ? 'keys' : undefined
}

const onKeyDown = (event: KeyboardEvent) => {
  const wanted = asked(event)
  // A dialog that is open keeps its keys: what is typed there is not lost behind another one.
  if (!wanted || document.querySelector('dialog[open]')) return
  event.preventDefault()
  opened.value = wanted
}

/** The keys that hold on every page, and what they open. */
export const Shortcuts = () => {
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const Shown = opened.value && dialogs[opened.value]
  return Shown ? <Shown onClose={() => { opened.value = undefined }} /> : null
}
