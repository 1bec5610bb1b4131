import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = typeof themes[number]

const key = 'steward-theme'
const stored = themes.find((theme) => theme === localStorage.getItem(key))

export const theme = signal<Theme>(stored ?? 'system')

/** Applies the chosen theme to the document; with `system` the browser decides. */
export const applyTheme = () => effect(() => {
  const { value } = theme
  localStorage.setItem(key, value)
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
})
