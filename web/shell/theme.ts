import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = typeof themes[number]

const key = 'steward-theme'
const stored = themes.find((theme) => theme === localStorage.getItem(key))

export const theme = signal<Theme>(stored ?? 'system')

/** Keeps the document in the theme that was chosen; `system` leaves it to the browser. */
export const applyTheme = () => effect(() => {
  const { value } = theme
  localStorage.setItem(key, value)
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
})
