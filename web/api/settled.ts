import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'

/** @returns the text that was typed, once it has not changed for a moment */
export const useSettled = (text: string): string => {
  const settled = useSignal(text)
  useEffect(() => {
    const timer = setTimeout(() => { settled.value = text }, 250)
    return () => clearTimeout(timer)
  }, [text])
  return settled.value
}
